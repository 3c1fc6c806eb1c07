import { expect, test } from 'vitest'
import { fencesOf } from '#testing/docs/fences.ts'
import { namedCommandProblems } from './command-checks.ts'
import { exceptions, leftOver, problemsOf } from './every-block.ts'
import { blocksOf, pages } from './page-blocks.ts'

/** Every block of code in the documentation is run, compiled, or checked against the code. */

const blocks = pages.flatMap((page) => blocksOf(page))

test('every block of code in the documentation is run, compiled, or checked, or is an exception with a reason', () => {
  expect(blocks.length).toBeGreaterThan(250)
  expect(problemsOf(blocks)).toEqual([])
  for (const { reason } of exceptions) expect(reason).toMatch(/^[A-Z].{20,}$/)
})

test('no check and no exception is left over for a block that is gone', () => {
  expect(leftOver(blocks)).toEqual([])
  expect(leftOver([])).toContain('docs/operate/monitoring.md: create extension amcheck;')
  expect(leftOver([])).toContain('tools/docs/reference.test.ts')
})

test('every command that a sentence of the documentation names exists, with its options', () => {
  expect(pages.flatMap((page) => namedCommandProblems(page))).toEqual([])
  const stale = [
    'npm run bunch',
    'npm run backup -- --too FOLDER',
    'node tools/none.ts',
    'signet licenses creat',
    'signet licenses create --amont 2',
    'DATADIR=x npm start',
    'npx vitest run --project sqlit src/features/licenses',
  ]
  for (const command of stale) expect(namedCommandProblems('README.md', `Run \`${command}\`.`), command).toHaveLength(1)
})

const problemsIn = (info: string, text: string, page = 'README.md') =>
  problemsOf(blocksOf(page, `\`\`\`${info}\n${text}\n\`\`\`\n`))

const json = "-H 'Content-Type: application/json' -d"
const staleCommands: [command: string, problem: string][] = [
  ['npm run bakup', 'package.json has no script "bakup"'],
  ['npm run build -w sdks/typescrpt', 'there is no sdks/typescrpt'],
  ['npm run backup -- --folder /var/backups', "tools/backup.ts: Unknown option '--folder'"],
  ['npm run backup --keep 30', 'npm run backup: --keep belongs behind --'],
  ['npm run backup -- /var/backups', "tools/backup.ts: Unexpected argument '/var/backups'"],
  ['cd /opt/signet && node tools/backups.ts', 'there is no tools/backups.ts'],
  ['npx vitest run --project mysql sdks/typescript', 'no test project "mysql"'],
  ['PYTHONPATH=sdks/python python3 -m unittest discover -s sdks/python/test', 'there is no sdks/python/test'],
  ['signet license create --level 1', 'there is no command "signet license create"'],
  ['signet licenses create --lvl 1', `"signet licenses create": Unknown option '--lvl'`],
  ['signet users show', '"signet users show" takes the arguments "NAME", and not ""'],
  ['signet users show ana bea', '"signet users show" takes the arguments "NAME", and not "ana bea"'],
  ['curl "$SIGNET_URL/api/1.0/seller/licences"', 'there is no call GET /api/1.0/seller/licences'],
  ['curl -X DELETE "$SIGNET_URL/api/1.0/seller/licenses"', 'there is no call DELETE /api/1.0/seller/licenses'],
  [
    'curl "$SIGNET_URL/api/1.0/seller/licenses?stat=used"',
    'GET /api/1.0/seller/licenses: query: stat is not a field of this call',
  ],
  [
    `curl -X PUT "http://127.0.0.1:8080/api/1.0/seller/settings" ${json} '{"versions": "2"}'`,
    'PUT /api/1.0/seller/settings: body: versions is not a field of this call',
  ],
  [
    'curl -X POST "http://127.0.0.1:8080/api/1.0/seller/licenses" -d amount=many -d level=1',
    'POST /api/1.0/seller/licenses: form: Please enter a valid amount',
  ],
  [
    'curl https://signet.example.com/clients/signet-java-1.0.tar.gz',
    'the server offers no package signet-java-1.0.tar.gz',
  ],
  ['npm install -g https://signet.example.com/clients/signet-cli.tgz', 'the server offers no package signet-cli.tgz'],
  ['npx openapi-typescript "$SIGNET_URL/api/1.0/openapi.yaml"', 'there is no call GET /api/1.0/openapi.yaml'],
  ['DATA_DIRECTORY=/data npm start', 'DATA_DIRECTORY is no setting'],
  ['signet-run npm run bakup', 'package.json has no script "bakup"'],
  ['LOG_REQUESTS=yes npm start', 'LOG_REQUESTS must be on or off, but is "yes"'],
  ['docker run -e PUBLIC_ADDRESS=x signet', 'PUBLIC_ADDRESS is no setting'],
  ['docker run -v signet:/var/data signet npm run demos', 'the image has no volume /var/data'],
  ['docker build --build-arg REVISION=1 .', 'the Dockerfile has no ARG REVISION'],
  ['echo "$HOUSE"', 'nothing says what $HOUSE is'],
  ['pgadmin --now', 'the command pgadmin is not known here'],
  ['echo "never ends', 'a quotation mark without its end'],
]

test.each(staleCommands)('the command %j is reported', (command, problem) => {
  expect(problemsIn('sh', `echo first\n${command} # and a comment`)).toContain(`README.md:1: ${problem}`)
})

const unit = '[Service]\nWorkingDirectory=/opt/signet\n'
const node = '/opt/signet/node_modules/.bin/node'
const staleData: [info: string, text: string, page: string, problem: string][] = [
  ['ini', `${unit}ExecStart=${node} tools/backup.ts --into /var`, 'a.md', "tools/backup.ts: Unknown option '--into'"],
  [
    'ini',
    `${unit}ExecStart=${node} tools/start.js`,
    'a.md',
    'npm start is node --max-semi-space-size=16 tools/start.js',
  ],
  ['ini', `${unit}Environment=DATA=/var`, 'a.md', 'DATA is no setting'],
  ['ini', '[Services]\nUser=signet', 'a.md', 'systemd has no section Services'],
  ['nginx', 'server {\n  listen 443\n}', 'README.md', 'no end: listen 443'],
  ['nginx', 'server {\n  proxy_pass http://127.0.0.1:8081;\n}', 'README.md', 'nothing listens at 127.0.0.1:8081'],
  ['caddy', 'your.host {\n  max_size 100MB\n}', 'README.md', 'max_size 100: MAX_UPLOAD_MB is 512 by default'],
  ['caddy', 'your.host {', 'README.md', 'the braces do not match'],
  ['yaml', 'rule_files: [signet-rules.yml]', 'docs/operate/monitoring.md', 'docs/ has no signet-rules.yml'],
  ['json', '{ "type": "license.burnt" }', 'docs/guides/webhooks.md', 'there is no event license.burnt'],
  ['json', '{}', 'README.md', 'nothing says what this document is: add its page to data-checks.ts'],
  [
    'text',
    'License burnt: `A`',
    'docs/guides/webhooks.md',
    'nothing checks a block of "text": add a check to tools/docs/blocks',
  ],
  ['text', 'License banned: `A` (LICENSE_BURNT)', 'docs/guides/webhooks.md', 'there is no code LICENSE_BURNT'],
  ['text', '0 3 * * * npm run bakup', 'docs/operate/backup-and-restore.md', 'package.json has no script "bakup"'],
  ['', 'src/main.ts  starts\nsrc/none/    nothing', 'ARCHITECTURE.md', 'there is no src/none/'],
  ['', 'H = LP("signet/v9/response")', 'docs/protocol.md', "src/protocol has no 'signet/v9/response'"],
  ['csharp', 'await signet.SignInAsync(key);', 'README.md', 'SignetClient has no SignInAsync'],
  [
    'delphi',
    'function signet_license(Client: Pointer): Integer;',
    'README.md',
    'signet_license has 5 parameters, not 1',
  ],
  ['cmake', 'target_link_libraries(a signet::client)', 'README.md', 'CMakeLists.txt has no target signet::client'],
  ['tsx', '<NoSuchTable />', 'src/web/README.md', 'the dashboard has no NoSuchTable'],
  ['ts', "call: 'GET /no_such_call',", 'src/web/README.md', 'there is no call GET /no_such_call'],
  ['sh run', 'echo', 'README.md', 'no test runs a block on this page, or the output follows no block'],
  ['go', 'package main', 'README.md', 'nothing checks a block of "go": add a check to tools/docs/blocks'],
]

test.each(staleData)('a stale block of %j with %j is reported', (info, text, page, problem) => {
  expect(problemsIn(info, text, page).map((each) => each.replace(/^\S+:\d+: /, ''))).toContain(problem)
})

test('stale programs in Python and TypeScript are reported with their lines', () => {
  const python = `from signet_client import Client, SignetErr
client = Client(..., on_lots=print)
session = client.license("key")
for subscription in session.subscriptions:
    print(session.user_name, subscription.ends)
client.variable()
print(error.code == "LICENSE_BANED")
print(error.customer_message`
  const typescript = `await client.licence('key')
new Client({ ...options, onLots: () => undefined })`
  const page = (code: string) => `\`\`\`python\n${code}\n\`\`\`\n\n\`\`\`ts\n${typescript}\n\`\`\`\n`
  const found = problemsOf(blocksOf('README.md', page(python.slice(0, python.lastIndexOf('\n')))))
  for (const name of [
    'SignetErr',
    'on_lots',
    'user_name',
    'ends',
    'client.variable',
    'LICENSE_BANED',
    'licence',
    'onLots',
  ])
    expect(
      found.filter((problem) => problem.startsWith('README.md:') && problem.includes(name)),
      name,
    ).toHaveLength(1)
  expect(found).toHaveLength(8)
  expect(problemsOf(blocksOf('README.md', page(python)))).toContain("README.md:1: line 8: '(' was never closed")
})

test('a stale program in C++ is reported with its line', (context) => {
  const found = problemsIn('cpp', '#include <signet/signet.hpp>\nint main() { signet::Options().owner = "a"; }')
  context.skip(found.length === 0, 'there is no C++ compiler here')
  expect(found).toEqual([expect.stringMatching(/README\.md:1: .*:2:.*owner/)])
})

test('a block in a list item is read without its indentation, and one that has no end is an error', () => {
  const [fence] = fencesOf('page.md', '1. Run:\n\n   ```sh\n   npm ci \\\n     && npm start\n   ```\n')
  expect(fence).toMatchObject({ line: 3, info: 'sh', before: '1. Run:', text: 'npm ci \\\n  && npm start\n' })
  for (const text of ['```sh\nnpm ci\n', '~~~sh\nnpm ci\n~~~\n', '> ```sh\n> npm ci\n> ```\n'])
    expect(() => fencesOf('page.md', text), text).toThrow(/^page\.md:1: /)
})
