// A first call: lists what can be played. The same lines stand in the README of the project.
//
//     node first_call.js [HOST:PORT] [FOLDER OF THE PROTOS]
const grpc = require('@grpc/grpc-js');
const [address = '127.0.0.1:7420', protos = 'proto'] = process.argv.slice(2);
const definition = require('@grpc/proto-loader').loadSync(
    'astragal/v1/ruleset_service.proto', {includeDirs: [protos], keepCase: true});
const {RulesetService} = grpc.loadPackageDefinition(definition).astragal.v1;
const client = new RulesetService(address, grpc.credentials.createInsecure());
client.ListRulesets({}, (error, answer) => {
  if (error) throw error;
  for (const ruleset of answer.rulesets) console.log(ruleset.ruleset_id, '-', ruleset.summary);
});
