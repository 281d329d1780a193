#!/bin/sh
# author_test.sh BUILD_DIR TEMPLATE_DIR CXX: what plugins/template/README.md tells an author to do,
# step by step: copy, rename, build outside of the tree against the installed SDK, check, drop into
# the folder of a running server, load with the operator's command, list, play.
set -eu
build=$(cd "$1" && pwd)
template=$(cd "$2" && pwd)
cxx=$3
# Not below a folder of root's: the server's PostgreSQL runs as another user.
work=$(mktemp -d /tmp/astragal-author.XXXXXX)
chmod 755 "$work"
server=
clean_up() {
  code=$?
  trap - EXIT
  if [ -n "$server" ]; then
    kill -TERM "$server" 2>/dev/null && wait "$server" || true
  fi
  [ "$code" = 0 ] || tail -n 20 "$work/astragald.log" "$work/log" 2>/dev/null || true
  rm -rf "$work"
  exit "$code"
}
trap clean_up EXIT
step() { echo "author: $1"; }

step "copy and rename"
cp -r "$template" "$work/my_game"
cd "$work/my_game"
sed -i 's/sprint/my_game/g; s/Sprint/MyGame/g; s/SPRINT/MY_GAME/g' ./*.h ./*.cc CMakeLists.txt
mv sprint.h my_game.h

step "build with the installed SDK"
cmake --install "$build" --component ruleset-sdk --prefix "$work/sdk" >"$work/log"
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/sdk" \
  -DCMAKE_CXX_COMPILER="$cxx" >"$work/log"
cmake --build build >"$work/log"

step "check"
"$build/bin/ruleset_check" build/libmy_game.so --games 20 >"$work/log"
tail -n 1 "$work/log"

step "start a server without any ruleset"
mkdir -m 755 "$work/plugins" "$work/data"
listen=127.0.0.1:$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
XDG_CONFIG_HOME="$work/config"
ASTRAGAL_SERVER=$listen
ASTRAGAL_OPERATOR_KEY="$work/data/operator.key"
export XDG_CONFIG_HOME ASTRAGAL_SERVER ASTRAGAL_OPERATOR_KEY
unset ASTRAGAL_KEY
"$build/bin/astragald" --listen "$listen" --data-dir "$work/data" --plugins "$work/plugins" \
  </dev/null >"$work/astragald.log" 2>&1 &
server=$!
astragal="$build/bin/astragal"
"$astragal" health --wait 120 >"$work/log"
if "$astragal" demo --ruleset my_game >"$work/log" 2>&1; then
  echo "FAILED: the game could be played before its library was there"
  exit 1
fi

step "drop and load"
cp build/libmy_game.so "$work/plugins/.new"
mv "$work/plugins/.new" "$work/plugins/libmy_game.so"
"$astragal" admin rulesets load | tee "$work/log"
grep -q "^libmy_game.so  my_game  v1 .*new games  new" "$work/log"
sha256=$(sha256sum build/libmy_game.so | cut -c 1-12)
"$astragal" admin rulesets list >"$work/log"
grep -q "^my_game  v1 *$sha256  new games" "$work/log"
"$astragal" rulesets my_game >"$work/log"
grep -q "12-home comes" "$work/log"

step "play a whole game"
"$astragal" demo --ruleset my_game --preset long --seed 1 >"$work/log"
grep "^Result: " "$work/log"

step "a broken file is refused and the rest goes on"
head -c 1000 build/libmy_game.so >"$work/plugins/libhalf.so"
if "$astragal" admin rulesets load >"$work/log" 2>&1; then
  echo "FAILED: half a file made no exit code"
  exit 1
fi
grep "^Refused libhalf.so: TRUNCATED" "$work/log"
"$astragal" demo --ruleset my_game --games 3 >"$work/log"

step "retire"
"$astragal" admin rulesets retire "$sha256"
if "$astragal" demo --ruleset my_game >"$work/log" 2>&1; then
  echo "FAILED: a retired build was played"
  exit 1
fi
echo "author: 1 passed, 0 failed"
