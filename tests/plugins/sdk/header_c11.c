/* The ABI header is C11 and needs nothing before it. */
#include <astragal/ruleset.h>

_Static_assert(sizeof(astragal_error) == 320, "astragal_error keeps its size");

uint32_t ruleset_struct_size(void);
uint32_t ruleset_struct_size(void) { return (uint32_t)sizeof(astragal_ruleset); }
