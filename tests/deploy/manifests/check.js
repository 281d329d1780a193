// What deploy/ delivers as YAML and JSON: it is well formed, fits the schemas, and keeps its promises.
//
// usage: NODE_PATH=.../node_modules node check.js ROOT
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const yaml = require('yaml');

const ROOT = process.env.ASTRAGAL_ROOT;
const read = (name) => fs.readFileSync(path.join(ROOT, name), 'utf8');

// All documents of a file; a key that is there twice, or an alias of nothing, is an error.
function documents(name) {
  return yaml.parseAllDocuments(read(name), {merge: true, uniqueKeys: true}).map((document) => {
    assert.deepStrictEqual(document.errors, [], name);
    return document.toJS();
  });
}

const kubernetes = documents('deploy/kubernetes/astragal.yaml');
const find = (kind, name) =>
  kubernetes.find((one) => one.kind === kind && one.metadata.name === name);
const workloads = kubernetes.filter((one) => one.kind === 'Deployment');

test('every Kubernetes object fits its schema', () => {
  for (const object of kubernetes) {
    const models = require(`kubernetes-models/${object.apiVersion}`);
    const model = new models[object.kind](object);
    assert.doesNotThrow(() => model.validate(), `${object.kind} ${object.metadata.name}`);
  }
});

test('a field of the wrong kind is found', () => {
  const {Deployment} = require('kubernetes-models/apps/v1');
  const wrong = structuredClone(find('Deployment', 'astragal'));
  wrong.spec.replicas = 'two';
  assert.throws(() => new Deployment(wrong).validate());
});

test('there are two, and one may be taken away', () => {
  assert.strictEqual(workloads.length, 1);
  for (const workload of workloads) {
    assert.strictEqual(workload.spec.replicas, 2);
    const budget = find('PodDisruptionBudget', workload.metadata.name);
    assert.strictEqual(budget.spec.minAvailable, 1);
    assert.deepStrictEqual(budget.spec.selector.matchLabels,
                           workload.spec.template.metadata.labels);
    assert.deepStrictEqual(workload.spec.selector.matchLabels,
                           workload.spec.template.metadata.labels);
  }
});

test('every container is without rights, bounded and probed', () => {
  for (const {spec: {template: {spec: pod}}} of workloads) {
    assert.strictEqual(pod.securityContext.runAsNonRoot, true);
    assert.notStrictEqual(pod.securityContext.runAsUser, 0);
    assert.strictEqual(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
    assert.strictEqual(pod.automountServiceAccountToken, false);
    for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
      assert.strictEqual(container.securityContext.readOnlyRootFilesystem, true);
      assert.strictEqual(container.securityContext.allowPrivilegeEscalation, false);
      assert.deepStrictEqual(container.securityContext.capabilities.drop, ['ALL']);
      assert.ok(container.resources.limits.memory);
      assert.match(container.image, /:\d/, 'a version, never the latest');
    }
    for (const container of pod.containers) {
      assert.ok(container.readinessProbe && container.livenessProbe, container.name);
    }
  }
});

test('what is mounted, referred to and connected to is there', () => {
  const text = read('deploy/kubernetes/astragal.yaml');
  for (const {spec: {template: {spec: pod}}} of workloads) {
    const volumes = new Map(pod.volumes.map((volume) => [volume.name, volume]));
    for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
      for (const mount of container.volumeMounts) assert.ok(volumes.has(mount.name), mount.name);
      const ports = (container.ports ?? []).map((port) => port.name);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        const port = (container[probe]?.tcpSocket ?? container[probe]?.httpGet)?.port;
        assert.ok(port === undefined || ports.includes(port), `${container.name} ${probe}`);
      }
    }
    // Made by hand before; the head of the file says how.
    const made = pod.volumes.flatMap((volume) => [volume.secret?.secretName, volume.configMap?.name])
        .concat(pod.containers.flatMap((container) => (container.env ?? [])
            .map((variable) => variable.valueFrom?.secretKeyRef?.name)))
        .filter(Boolean);
    for (const name of made) {
      assert.match(text, new RegExp(`^#   kubectl .*create (secret (generic|tls)|configmap) ${name} `, 'm'));
    }
  }
});

test('players reach the proxy, and nobody the service', () => {
  const service = find('Service', 'astragal');
  assert.strictEqual(service.spec.externalTrafficPolicy, 'Local', 'it must see addresses as they are');
  assert.strictEqual(service.spec.sessionAffinity, 'ClientIP');
  const [astragald, haproxy] = workloads[0].spec.template.spec.containers;
  assert.deepStrictEqual(astragald.ports.map((port) => port.name), ['metrics']);
  assert.ok(!astragald.args.includes('--listen'), 'it listens on loopback');
  assert.ok(haproxy.ports.some((port) => port.name === service.spec.ports[0].targetPort));
  assert.deepStrictEqual(service.spec.selector, workloads[0].spec.template.metadata.labels);
});

test('what is set for the proxy is what its configuration asks for', () => {
  const known = new Set(read('deploy/proxy/haproxy.cfg').match(/ASTRAGAL_\w+/g));
  const compose = documents('deploy/container/compose.yaml')[0];
  const set = [
    ...Object.keys(compose.services.proxy.environment),
    ...workloads[0].spec.template.spec.containers[1].env.map((one) => one.name),
  ];
  for (const name of set) assert.ok(known.has(name), name);
});

test('compose: two services on one database behind the proxy, without rights', () => {
  const compose = documents('deploy/container/compose.yaml')[0];
  const {database, node1, node2, proxy} = compose.services;
  assert.deepStrictEqual(Object.keys(compose.services), ['database', 'proxy', 'node1', 'node2']);
  for (const node of [node1, node2, proxy]) {
    assert.strictEqual(node.read_only, true);
    assert.deepStrictEqual(node.cap_drop, ['ALL']);
    assert.deepStrictEqual(node.security_opt, ['no-new-privileges:true']);
  }
  assert.deepStrictEqual(node1.volumes, node2.volumes, 'they share their keys');
  assert.ok(database.healthcheck);
  for (const service of [database, node1, node2]) {
    assert.strictEqual(service.ports, undefined, 'reached through the proxy alone');
  }
  assert.deepStrictEqual(database.networks, ['inside']);
  for (const [node, address] of [[node1, proxy.environment.ASTRAGAL_NODE_1],
                                 [node2, proxy.environment.ASTRAGAL_NODE_2]]) {
    assert.strictEqual(node.network_mode, 'service:proxy');
    assert.strictEqual(node.command[node.command.indexOf('--listen') + 1], address);
  }
  assert.strictEqual(compose.networks.inside.internal, true);
  for (const service of Object.values(compose.services)) {
    for (const name of service.networks ?? []) assert.ok(name in compose.networks);
    for (const secret of service.secrets ?? []) assert.ok(secret in compose.secrets);
    for (const volume of service.volumes ?? []) {
      const source = volume.split(':')[0];
      if (source.startsWith('.')) {
        assert.ok(fs.existsSync(path.join(ROOT, 'deploy/container', source)), source);
      } else {
        assert.ok(source in compose.volumes, source);
      }
    }
    for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in compose.services);
    assert.match(service.image, /:\d/, 'a version, never the latest');
  }
  const {context, dockerfile} = node1.build;
  assert.ok(fs.existsSync(path.join(ROOT, 'deploy/container', context, dockerfile)));
});

test('the image: compiled in one stage, run by nobody in another', () => {
  const text = read('deploy/container/Dockerfile').replace(/\\\n/g, ' ');
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  const froms = lines.filter((line) => line.startsWith('FROM '));
  assert.strictEqual(froms.length, 2);
  for (const from of froms) assert.match(from, /:\d/, 'a version, never the latest');
  const last = lines.slice(lines.lastIndexOf(froms[1]));
  assert.ok(last.some((line) => /^COPY --from=build /.test(line)));
  assert.ok(!last.some((line) => /^(ADD|COPY (?!--from))/.test(line)), 'nothing but the package');
  assert.match(last.find((line) => line.startsWith('USER ')), /^USER [1-9]\d*:[1-9]\d*$/);
  assert.ok(last.some((line) => line.startsWith('HEALTHCHECK ')));
  // Every instruction is one, and the arrays of those that have them are arrays.
  for (const line of lines) {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? assert.fail(line);
    assert.ok(['FROM', 'COPY', 'WORKDIR', 'RUN', 'USER', 'VOLUME', 'EXPOSE', 'ENTRYPOINT',
               'HEALTHCHECK'].includes(word), line);
    if (word === 'ENTRYPOINT') assert.ok(Array.isArray(JSON.parse(rest)));
  }
  // The versions of the files are that of the project.
  const version = /project\(astragal VERSION (\S+)/.exec(read('CMakeLists.txt'))[1];
  for (const file of ['deploy/container/Dockerfile', 'deploy/container/compose.yaml',
                      'deploy/kubernetes/astragal.yaml']) {
    for (const [, tag] of read(file).matchAll(/\bastragal:(\d\S*)/g)) {
      assert.strictEqual(tag, version, file);
    }
  }
});
