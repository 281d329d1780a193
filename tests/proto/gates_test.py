#!/usr/bin/env python3
"""gates_test.py TOOLS: the gates of proto/ refuse what they should. Each case plants one fault.

The sample is judged by the project's own proto/buf.yaml.
"""

import os
import shutil
import sys
import tempfile
import unittest

import buf

SAMPLE = """// The sample's own header.
syntax = "proto3";

package astragal.v1;

// Greets.
service SampleService {
  // Returns a greeting.
  rpc GetSample(GetSampleRequest) returns (GetSampleResponse);
}

// Whom to greet.
message GetSampleRequest {
  // The name; empty greets nobody.
  string name = 1;
}

// The greeting.
message GetSampleResponse {
  // The text.
  string text = 1;
  // Its tone.
  Tone tone = 2;
}

// How it is said.
enum Tone {
  // Nobody said.
  TONE_UNSPECIFIED = 0;
  // As a friend.
  TONE_WARM = 1;
}
"""

# name of the case, text of the sample, what replaces it, rule that must be named
LINT_FAULTS = (
    ("a field without comment", "  // The text.\n", "", "COMMENT_FIELD"),
    ("a method without comment", "  // Returns a greeting.\n", "", "COMMENT_RPC"),
    ("a value without comment", "  // As a friend.\n", "", "COMMENT_ENUM_VALUE"),
    ("a zero that means something", "TONE_UNSPECIFIED", "TONE_COLD", "ENUM_ZERO_VALUE_SUFFIX"),
    ("a value without prefix", "TONE_WARM", "WARM", "ENUM_VALUE_PREFIX"),
    ("a field in capitals", "string name", "string Name", "FIELD_LOWER_SNAKE_CASE"),
    ("a service without suffix", "SampleService", "Sample", "SERVICE_SUFFIX"),
    ("another package", "package astragal.v1", "package astragal.v2", "PACKAGE_DIRECTORY_MATCH"),
    ("a shared request", "(GetSampleRequest) returns (GetSampleResponse)",
     "(GetSampleResponse) returns (GetSampleResponse)", "RPC_REQUEST_RESPONSE_UNIQUE"),
)

BREAKING_FAULTS = (
    ("a field is gone", "  // The text.\n  string text = 1;\n", "", "was deleted"),
    ("another number", "string text = 1", "string text = 3", "was deleted"),
    ("another type", "string name = 1", "bytes name = 1", "changed type"),
    ("another name", "string name = 1", "string whom = 1", "changed name"),
    ("a method is gone", "  // Returns a greeting.\n  rpc GetSample(GetSampleRequest) returns "
     "(GetSampleResponse);\n", "", "was deleted"),
    ("a value is gone", "  // As a friend.\n  TONE_WARM = 1;\n", "", "was deleted"),
    ("a single answer becomes a stream", "returns (Get", "returns (stream Get", "streaming"),
)

TOOLS = None


class Gates(unittest.TestCase):

    def setUp(self):
        self.proto = tempfile.mkdtemp()
        shutil.copy(os.path.join(buf.PROTO, "buf.yaml"), self.proto)
        self.released = os.path.join(self.proto, "released", "sample.json")
        self.write(SAMPLE)

    def tearDown(self):
        shutil.rmtree(self.proto)

    def write(self, text):
        path = os.path.join(self.proto, "astragal", "v1", "sample.proto")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def change(self, old, new):
        self.assertIn(old, SAMPLE)
        self.write(SAMPLE.replace(old, new))

    def test_the_sample_passes_both_gates(self):
        self.assertEqual(buf.lint(TOOLS, self.proto), (0, ""))
        self.assertEqual(buf.release(TOOLS, self.proto, self.released), (0, ""))
        self.assertEqual(buf.breaking(TOOLS, self.proto, self.released), (0, ""))

    def test_additions_break_nothing(self):
        buf.release(TOOLS, self.proto, self.released)
        self.change("  string name = 1;\n", "  string name = 1;\n  // How.\n  Tone tone = 2;\n")
        self.assertEqual(buf.breaking(TOOLS, self.proto, self.released), (0, ""))


def plant(kind, case, old, new, words):
    """Makes the test of one planted fault."""
    def test(self):
        buf.release(TOOLS, self.proto, self.released)
        self.change(old, new)
        if kind == "lint":
            code, text = buf.lint(TOOLS, self.proto, "--error-format=json")
        else:
            code, text = buf.breaking(TOOLS, self.proto, self.released)
        self.assertNotEqual(code, 0)
        self.assertIn(words, text)
    setattr(Gates, f"test_{kind}_{case.replace(' ', '_')}", test)


for fault in LINT_FAULTS:
    plant("lint", *fault)
for fault in BREAKING_FAULTS:
    plant("breaking", *fault)


if __name__ == "__main__":
    TOOLS = sys.argv.pop(1)
    sys.exit(unittest.main(verbosity=1))
