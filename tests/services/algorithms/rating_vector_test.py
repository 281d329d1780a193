"""vector_check ratings: agrees with the reference data, and finds every number that was changed.

Usage: rating_vector_test.py VECTOR_CHECK FILE
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

# What the project does not rate by, and what is no expectation.
SKIPPED = {'about', 'reference_only', 'suggested_tolerance', 'note', 'source', 'sources', 'formula',
           'ambiguity', 'what', 'id', 'change'}
EXPECTATIONS = ('expected', 'final', 'after', 'before', 'intermediate', 'published_rounded',
                'first_place_probability', 'glicko_scale', 'value', 'rows')


def check(program, document):
    with tempfile.NamedTemporaryFile('w', suffix='.json', delete=False) as file:
        json.dump(document, file)
    try:
        run = subprocess.run([program, 'ratings', file.name], capture_output=True, text=True)
    finally:
        os.unlink(file.name)
    return run.returncode, run.stdout.splitlines()


def numbers(node, path=(), expected=False):
    """Paths to all numbers that say what must come out."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        if key in SKIPPED:
            continue
        inside = expected or (bool(path) and isinstance(key, str) and
                              any(word in key for word in EXPECTATIONS))
        if isinstance(value, (dict, list)):
            yield from numbers(value, path + (key,), inside)
        elif inside and isinstance(value, (int, float)) and key not in ('game', 'day'):
            yield path + (key,)


def tampered(document, path):
    changed = copy.deepcopy(document)
    node = changed
    for key in path[:-1]:
        node = node[key]
    # Larger than any tolerance, those of printed tables included, and of everything that is near 0.
    node[path[-1]] += 0.2 + abs(node[path[-1]]) * 0.1
    return changed


def only(document, path):
    """The document with one group, so that each run is short."""
    return {key: document[key] for key in ('suggested_tolerance', path[0]) if key in document}


def main():
    program, file = sys.argv[1:]
    with open(file, encoding='utf-8') as stream:
        document = json.load(stream)
    code, lines = check(program, document)
    count = int(lines[-1].split()[0])
    assert (code, lines) == (0, [f'{count} of {count} agree']), lines
    assert count >= 75, f'only {count} records were looked at'

    paths = list(numbers(document))
    assert len(paths) > 500, len(paths)
    # Every seventh, and every last one of a kind of field.
    by_field = {path[:1] + tuple(key for key in path if isinstance(key, str)): path for path in paths}
    for path in {*paths[::23], *by_field.values()}:
        code, lines = check(program, tampered(only(document, path), path))
        agree, of = int(lines[-1].split()[0]), int(lines[-1].split()[2])
        assert code == 1 and agree == of - 1, (path, lines)

    # Words and numbers beside the groups; ids that nobody knows; another profile, whose bounds are not
    # named; the tolerance of the file.
    lichess = {'initial_rating': 1500, 'initial_rd': 350, 'initial_volatility': 0.06, 'tau': 0.75,
               'periods_per_day': 0.21436}
    case = next(one for one in document['glicko2_per_game']
                if one['id'] == 'lichess_case0_score1_adv0')
    others = {
        'about': 'another file', 'version': 3,
        'my own cases': [dict(case, id='nobody knows this')],
        'my own history': {'profile': lichess,
                           'games': [{'id': 'x', 'day': 0, 'first': 'K', 'second': 'L',
                                      'score_first': 1}],
                           'final': {'K': case['expected_first'], 'L': case['expected_second']}}}
    code, lines = check(program, others)
    assert (code, lines) == (0, ['2 of 2 agree']), lines
    others['my own history']['final']['K'] = dict(case['expected_first'],
                                                  rating=case['expected_first']['rating'] + 0.01)
    code, lines = check(program, others)
    assert code == 1 and lines[-1] == '1 of 2 agree', lines
    others['suggested_tolerance'] = {'rating': 0.1}
    code, lines = check(program, others)
    assert (code, lines) == (0, ['2 of 2 agree']), lines

    for name, broken in {
            'an unknown group': {'new_system': [{'id': 'a', 'x': 1}]},
            'a case without expectation': {'fibs': [dict(rating1=1, rating2=1, experience1=1,
                                                         experience2=1, match_length=1, winner=1)]},
            'a sequence with a change in other words': {
                'history': {'games': document['glicko2_sequence_with_correction']['games'],
                            'correction': {'change': 'do something', 'final': {}}}},
            'nothing': {},
    }.items():
        code, lines = check(program, broken)
        assert code == 1, (name, lines)
    print(f'{count} records agree, {len(paths)} numbers could differ')


main()
