// Every library of the project, whole: that this links is the test.
int main() { return 0; }
