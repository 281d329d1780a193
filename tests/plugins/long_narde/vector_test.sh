#!/bin/sh
# vector_test.sh VECTOR_CHECK PLUGINS DATA: every reference record agrees, and vector_check finds
# what is wrong with records that were tampered with.
set -eu
check=$1
plugins=$2
data=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect CODE LAST-LINE FILE
expect() {
  code=0
  "$check" long_narde "$3" --plugins "$plugins" > "$work/out" 2>&1 || code=$?
  last=$(tail -n 1 "$work/out")
  if [ "$code" != "$1" ] || [ "$last" != "$2" ]; then
    echo "FAILED: $3: exit $code, expected $1; '$last', expected '$2'"
    head -n 20 "$work/out"
    exit 1
  fi
}

expect 0 '115 of 115 agree' "$data/long_narde_positions.jsonl"
expect 0 '3 of 3 agree' "$data/long_narde_games.jsonl"

# The first record without its first end, with another number of dice, with half a line.
head -n 2 "$data/long_narde_positions.jsonl" > "$work/good"
sed '1s/"dice_used": *4/"dice_used":3/' "$work/good" > "$work/dice"
expect 1 '1 of 2 agree' "$work/dice"
sed '1s/\("ends": *\[\)\[[^]]*\]/\1/' "$work/good" > "$work/ends"
expect 1 '1 of 2 agree' "$work/ends"
{ head -c 100 "$work/good"; echo; tail -n 1 "$work/good"; } > "$work/half"
expect 1 '1 of 2 agree' "$work/half"
sed '1s/"mover": *"white"/"mover":"green"/' "$work/good" > "$work/mover"
expect 1 '1 of 2 agree' "$work/mover"
head -n 1 "$data/long_narde_games.jsonl" | sed 's/"winner": *"white"/"winner":"black"/' > "$work/winner"
expect 1 '0 of 1 agree' "$work/winner"
: > "$work/empty"
expect 1 '0 of 0 agree' "$work/empty"
expect 1 '0 of 0 agree' "$work/missing"
expect 1 '0 of 0 agree' "$work"
echo "reference data agrees; 8 of 8 faults found"
