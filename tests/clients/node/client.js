// Plays whole games of every ruleset that a server lists, by chance, knowing no rules.
//
//     node client.js [HOST:PORT [SEED [FOLDER OF THE PROTOS]]]
//
// It is meant to be copied: put something better in place of `choose`, and it is a player. On purpose
// it also hangs up in the middle of games and throws answers away, and checks that it missed nothing.
// The README above it explains every step. Needs @grpc/grpc-js and @grpc/proto-loader.
'use strict';
const {randomUUID} = require('crypto');
const {setTimeout: sleep} = require('timers/promises');
const grpc = require('@grpc/grpc-js');

const [address = '127.0.0.1:7420', seed = '1', protos = 'proto'] = process.argv.slice(2);

const CALL_DEADLINE_MS = 5000;     // of one attempt
const STREAM_DEADLINE_MS = 60000;  // a stream that died without a word is noticed by then
const PATIENCE_MS = 60000;         // how long attempts are repeated
const HANG_UP_EVERY = 150;         // events, on average; a real client does not do this
const LOSE_ANSWER_EVERY = 40;      // actions, on average; nor this

// Somebody was faster, or the game went on: ask again what can be played.
const LOOK_AGAIN = ['STALE_SEQUENCE', 'NOT_YOUR_TURN', 'GAME_OVER'];

// 64-bit numbers come as text: an action's number may be too long for JavaScript.
const definition = require('@grpc/proto-loader').loadSync(
    ['astragal/v1/game_service.proto', 'astragal/v1/player_service.proto',
     'astragal/v1/ruleset_service.proto', 'google/rpc/status.proto',
     'google/rpc/error_details.proto'],
    {includeDirs: [protos], keepCase: true, longs: String, enums: String, defaults: true});
const {GameService, PlayerService, RulesetService} =
    grpc.loadPackageDefinition(definition).astragal.v1;

// Why a call failed. A connection that was lost has a code, but no reason word.
function problemOf(error) {
  const problem = {reason: '', waitMs: null};
  const unpack = (any) => definition[any.type_url.split('/').pop()].deserialize(any.value);
  for (const bytes of error.metadata?.get('grpc-status-details-bin') ?? []) {
    for (const any of definition['google.rpc.Status'].deserialize(bytes).details) {
      if (any.type_url.endsWith('.ErrorInfo')) problem.reason = unpack(any).reason;
      if (any.type_url.endsWith('.RetryInfo')) {
        const {seconds, nanos} = unpack(any).retry_delay;
        problem.waitMs = Number(seconds) * 1000 + nanos / 1e6;
      }
    }
  }
  // The same again, later, may go well.
  problem.transient = [grpc.status.UNAVAILABLE, grpc.status.DEADLINE_EXCEEDED].includes(error.code) ||
      problem.waitMs !== null || problem.reason === 'WATCHER_TOO_SLOW';
  return problem;
}

// A connection of its own and, with a key, a player's identity.
class Connection {
  constructor(key) {
    this.metadata = new grpc.Metadata();
    if (key) this.metadata.set('authorization', `Bearer ${key}`);
    this.open();
  }

  open() {
    // The first option keeps clients of one process apart; the others find a server that was
    // restarted soon (the default waits a second, then ever longer).
    const options = {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2000,
    };
    const channel = new grpc.Channel(address, grpc.credentials.createInsecure(), options);
    this.channel = channel;
    const over = {channelOverride: channel};
    this.games = new GameService(address, null, over);
    this.players = new PlayerService(address, null, over);
    this.rulesets = new RulesetService(address, null, over);
  }

  close() {
    this.channel.close();
  }

  // One call, repeated while that can help. A mutation is repeated with the request_id it has, so
  // that it happens once however often it is sent.
  async call(service, method, request) {
    const giveUp = Date.now() + PATIENCE_MS;
    for (let pauseMs = 50;; pauseMs = Math.min(2 * pauseMs, 2000)) {
      try {
        return await new Promise((resolve, reject) => {
          this[service][method](request, this.metadata, {deadline: Date.now() + CALL_DEADLINE_MS},
                                (error, answer) => error ? reject(error) : resolve(answer));
        });
      } catch (error) {
        const problem = problemOf(error);
        if (!problem.transient || Date.now() > giveUp) throw error;
        await sleep(problem.waitMs ?? pauseMs * (0.5 + Math.random() / 2));
      }
    }
  }
}

// A player at a table: follows the game and acts when it is its turn.
class Seat {
  constructor(key, gameId, number, random) {
    Object.assign(this, {gameId, number, random, connection: new Connection(key)});
    this.sequence = 0;   // of the last event it got
    this.askedAt = 0;    // it knows whose turn it was at this sequence
    this.heard = Date.now();  // from the server, on the stream
    this.log = [];       // every event, once
    this.answered = [];  // every event that an answer told of
    this.resumes = this.gaps = this.repeats = this.answersLost = this.wrong = 0;
  }

  async play() {
    while (!await this.follow()) ++this.resumes;
    this.connection.close();
  }

  // Watches from the last event it has; true when the game is over, false to resume.
  async follow() {
    const stream = this.connection.games.WatchGame(
        {game_id: this.gameId, after_sequence: this.sequence}, this.connection.metadata,
        {deadline: Date.now() + STREAM_DEADLINE_MS});
    stream.on('error', () => {});  // the loop throws it too
    try {
      for await (const message of stream) {
        this.heard = Date.now();
        if (message.snapshot) {  // the game as it stood at after_sequence
          this.gaps += message.snapshot.game.sequence !== this.sequence;
        } else if (message.event) {
          this.take(message.event);
        }
        if (this.sequence > this.askedAt) await this.act();
        if (message.event && this.random() < 1 / HANG_UP_EVERY) {
          stream.cancel();
          if (this.random() < 0.5) {
            this.connection.close();
            this.connection.open();
          }
          return false;
        }
      }
      return true;
    } catch (error) {
      const problem = problemOf(error);
      if (!problem.transient || Date.now() > this.heard + PATIENCE_MS) throw error;
      await sleep(problem.waitMs ?? 100);
      return false;
    }
  }

  take(event) {
    if (event.sequence <= this.sequence) {
      ++this.repeats;
      return;
    }
    this.gaps += event.sequence - this.sequence - 1;
    this.sequence = event.sequence;
    this.log.push(event);
  }

  // Plays as long as it is this seat's turn.
  async act() {
    for (;;) {
      const legal = await this.connection.call('games', 'ListLegalActions', {game_id: this.gameId});
      this.askedAt = legal.sequence;
      if (legal.position.actor !== this.number || legal.actions.length === 0) return;
      const request = {
        request_id: randomUUID(),
        game_id: this.gameId,
        expected_sequence: legal.sequence,
        actions: [{action: this.choose(legal).action}],
      };
      if (this.random() < 1 / LOSE_ANSWER_EVERY) await this.sendAndForget(request);
      let answer;
      try {
        answer = await this.connection.call('games', 'PlayActions', request);
      } catch (error) {
        if (LOOK_AGAIN.includes(problemOf(error).reason)) continue;
        throw error;
      }
      this.answered.push(...answer.events);
      this.askedAt = answer.sequence;
      if (answer.position.actor !== this.number) return;
    }
  }

  // Any choice will do; legal.actions have notations and effects for those who look.
  choose(legal) {
    return legal.actions[Math.floor(this.random() * legal.actions.length)];
  }

  // Sends an action and does not wait for the answer, as when the connection is lost.
  async sendAndForget(request) {
    const sent = this.connection.games.PlayActions(
        request, this.connection.metadata, {deadline: Date.now() + CALL_DEADLINE_MS}, () => {});
    await sleep(3 * this.random());
    sent.cancel();
    ++this.answersLost;
  }
}

// Numbers from 0 to 1 that follow from a text (mulberry32).
function seeded(text) {
  let state = 0;
  for (const character of text) state = (Math.imul(state, 31) + character.charCodeAt(0)) | 0;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// The key of a new player.
async function createPlayer(connection) {
  for (;;) {
    const answer = await connection.call('players', 'CreatePlayer', {
      request_id: randomUUID(), name: `node ${randomUUID().slice(0, 13)}`, bot: true,
    });
    // A key is shown once. If that answer was lost on the way, make another player.
    if (!answer.secret_already_shown) return answer.api_key;
  }
}

async function listRulesets(connection) {
  const rulesets = [];
  let page_token = '';
  do {
    const page = await connection.call('rulesets', 'ListRulesets', {page_token});
    rulesets.push(...page.rulesets);
    page_token = page.next_page_token;
  } while (page_token);
  return rulesets;
}

// Options for each number of seats that the ruleset offers.
function seatChoices(ruleset) {
  const option = ruleset.options.find((one) => one.is_seats);
  if (!option) return [{}];
  const [least, most] = [Number(option.minimum), Number(option.maximum)];
  const numbers = option.choices.length > 0 ?
      option.choices : Array.from({length: most - least + 1}, (_, i) => String(least + i));
  return numbers.map((number) => ({[option.name]: number}));
}

// A whole game, a seat for each key that it has room for. Gives the seats.
async function playGame(keys, ruleset, options) {
  const creator = new Connection(keys[0]);
  const {game} = await creator.call('games', 'CreateGame', {
    request_id: randomUUID(), ruleset_id: ruleset.ruleset_id,
    rules_version: ruleset.rules_version, options, seat: 0,
  });
  const game_id = game.game_id;
  const seats = game.seats.map(({seat}) => new Seat(
      keys[seat], game_id, seat, seeded(`${seed} ${ruleset.ruleset_id} ${game.seats.length} ${seat}`)));
  for (const {connection, number} of seats.slice(1)) {
    await connection.call('games', 'JoinGame', {request_id: randomUUID(), game_id, seat: number});
  }
  await Promise.all(seats.map((seat) => seat.play()));
  check(seats, (await creator.call('games', 'GetGame', {game_id})).game);
  creator.close();
  return seats;
}

// All saw the same log to its end, and what was acknowledged stands in it once.
function check(seats, game) {
  const actions = (events) => events.filter((event) => event.action)
      .map((event) => event.log_hash.toString('hex')).sort().join();
  seats[0].wrong += actions(seats[0].log) !== actions(seats.flatMap((seat) => seat.answered));
  for (const seat of seats) {
    const last = seat.log[seat.log.length - 1];
    seat.wrong += !last.finished || !last.log_hash.equals(game.log_hash);
  }
}

async function main() {
  console.log(`client-node: seed ${seed}`);
  const connection = new Connection();
  const rulesets = await listRulesets(connection);
  const keys = [];
  while (keys.length < Math.max(...rulesets.map((ruleset) => ruleset.max_seats))) {
    keys.push(await createPlayer(connection));
  }
  connection.close();
  const games = await Promise.all(rulesets.flatMap(  // all at once
      (ruleset) => seatChoices(ruleset).map((options) => playGame(keys, ruleset, options))));
  const total = (name) => games.flat().reduce((sum, seat) => sum + seat[name], 0);
  const events = games.flat().reduce((sum, seat) => sum + seat.log.length, 0);
  console.log(`client-node: ${games.length} games, ${events} events, ${total('resumes')} resumes, ` +
      `${total('gaps')} gaps, ${total('repeats')} repeats, ` +
      `${total('answersLost')} answers lost, ${total('wrong')} wrong`);
  process.exitCode = total('gaps') || total('repeats') || total('wrong') ? 1 : 0;
}

main().catch((error) => {
  console.error(error);
  process.exit(1);  // other seats may still be playing
});
