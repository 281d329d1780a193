"""The table of rights is checked by the compiler: a method without a row, and a row without a method,
do not compile. Run as: access_build_test.py BUILD_FOLDER
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLE = ROOT / 'services/rpc/access.cc'


def command_of(source):
    """How the build compiles this file, without its output and without a launcher."""
    for entry in json.loads((BUILD / 'compile_commands.json').read_text()):
        if pathlib.Path(entry['file']) == source:
            words = shlex.split(entry['command'])
            break
    else:
        raise AssertionError(f'{source} is not compiled')
    while not re.search(r'(\+\+|c\+\+|cc|clang|gcc)(-\d+)?$', words[0]) or words[0].endswith('ccache'):
        words.pop(0)
    at = words.index('-o')
    del words[at:at + 2]
    words.remove('-c')
    return [word for word in words if word != entry['file']], entry['directory']


def errors_of(text):
    """What the compiler says of such a table; empty: it compiles."""
    words, folder = command_of(TABLE)
    with tempfile.TemporaryDirectory() as temporary:
        copy = pathlib.Path(temporary) / 'access.cc'
        copy.write_text(text)
        done = subprocess.run([*words, '-fsyntax-only', str(copy)], cwd=folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return done.stderr if done.returncode else ''


class AccessBuild(unittest.TestCase):
    def test_what_the_table_lacks_or_has_too_much_does_not_compile(self):
        text = TABLE.read_text()
        row = re.search(r' *Access\{"GameService\.GetGame".*\n', text).group()
        planted = ''.join(row.replace('GetGame', f'GetGame{name}') for name in ('All', 'Any'))
        errors = errors_of(text.replace(row, planted))
        self.assertIn('GameService.GetGame has no row in services/rpc/access.cc', errors)
        self.assertIn('services/rpc/access.cc has a row of no method', errors)


if __name__ == '__main__':
    unittest.main()
