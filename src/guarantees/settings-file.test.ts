import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runTool } from '#testing/run-tool.ts'
import { failedStart, type FailedStart } from '#testing/servers/server-process.ts'

/** `.env` in the folder of the server: as people write it, and as editors save it. */

const scratch = mkdtempSync(join(tmpdir(), 'signet-settings-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let made = 0
const newFolder = (): string => {
  const folder = join(scratch, String(++made))
  mkdirSync(folder)
  return folder
}

/** A server in a folder with this `.env`, which stops its start. */
async function startWith(file: string | Buffer, more: Record<string, string> = {}): Promise<FailedStart> {
  const folder = newFolder()
  writeFileSync(join(folder, '.env'), file)
  return failedStart({ DATA_DIR: folder, ...more }, ['sh', '-c', 'cd "$DATA_DIR" && exec "$0" "$@"'])
}

const oneLine = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` })
const rejected = oneLine('LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace, but is "loud"')

test.each<[string, string | Buffer]>([
  ['plain', 'LOG_LEVEL=loud\nPUBLIC_URL=https://keys.example\n'],
  ['with the line ends of Windows', 'LOG_LEVEL=loud\r\nPUBLIC_URL=https://keys.example\r\n'],
  ['with a byte order mark', '\uFEFFLOG_LEVEL=loud\nPUBLIC_URL=https://keys.example\n'],
  ['with quotes, comments, and spaces', '# ours\n\n LOG_LEVEL = "loud" # much\nPUBLIC_URL=\'https://keys.example\'\n'],
  ['with a value of several lines', 'METRICS_TOKEN="sixteen letters\nin two lines"\nexport LOG_LEVEL=loud'],
])('every setting counts in a file that is %s', async (_, file) => {
  expect(await startWith(file)).toEqual(rejected)
})

test('the environment takes precedence', async () => {
  expect(await startWith('LOG_LEVEL=debug', { LOG_LEVEL: 'loud' })).toEqual(rejected)
})

test('an empty setting in the environment counts as missing, so that the one in the file applies', async () => {
  expect(await startWith('LOG_LEVEL=loud', { LOG_LEVEL: '' })).toEqual(rejected)
})

test('a file in another encoding stops the start, because its settings would be ignored', async () => {
  const text = 'LOG_LEVEL=loud\n'
  expect(await startWith(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(
    oneLine('.env must be in UTF-8, but is in UTF-16: save it again as UTF-8'),
  )
  expect(await startWith(Buffer.from('ADMIN_PASSWORD=Pässword', 'latin1'))).toEqual(
    oneLine(".env must be in UTF-8, but isn't: save it again as UTF-8"),
  )
})

test('a folder in its place, as a container creates it for a missing file, stops the start', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, '.env'))
  const shell = ['sh', '-c', 'cd "$DATA_DIR" && exec "$0" "$@"']
  expect(await failedStart({ DATA_DIR: folder }, shell)).toEqual(oneLine('.env must be a file, but is a folder'))
})

test('misspelled names, lines that set nothing, and missing files are warnings, which repeat no value', async () => {
  const file = [
    'PUBLIC_ULR=https://keys.example',
    'DATA_DIR: /srv/secret',
    'DISCORD_URL="https://discord.example',
    'MASTER_KEY_FILE=/proc',
    'GEOIP_COUNTRY_FILE=/no/country.mmdb',
    'VPN_NETWORKS_FILE=/no/vpn.txt',
  ]
  const { code, stdout, stderr } = await startWith(file.join('\n'), { TRUSTED_PROXYES: '10.0.0.0/8' })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^DISCORD_URL must be .*\n$/)])
  expect(stdout).toBe('')
  expect(stderr).toContain('PUBLIC_ULR in .env is not a setting; did you mean PUBLIC_URL?')
  expect(stderr).toContain("Line 3 of .env has a quote that isn't closed")
  const started = await startWith(file.filter((line) => !line.startsWith('DISCORD')).join('\n'), {
    TRUSTED_PROXYES: '10.0.0.0/8',
  })
  const lines = started.stdout.trim().split('\n')
  const warnings = lines.map((line) => JSON.parse(line) as { level: number; msg: string }).filter((l) => l.level === 40)
  expect(warnings.map(({ msg }) => msg)).toEqual([
    'Line 2 of .env is not NAME=value: it sets nothing',
    'PUBLIC_ULR in .env is not a setting; did you mean PUBLIC_URL?',
    'TRUSTED_PROXYES is not a setting; did you mean TRUSTED_PROXIES?',
    "GEOIP_COUNTRY_FILE /no/country.mmdb doesn't exist; until it does, the countries of IP addresses are unknown",
    "VPN_NETWORKS_FILE /no/vpn.txt doesn't exist; until it does, no program blocks VPNs",
  ])
  expect(started.stdout).not.toContain('secret')
})

test('a # that begins a comment inside of a value is a warning, and in quotes a part of it', async () => {
  const file = [
    'METRICS_TOKEN=sixteen-characters#secret',
    'CLAMD_ADDRESS="/a#b"# as /a',
    'HEARTBEATS_PER_MINUTE= # not #1',
    'SIGNET_COMMIT=#secret',
    'MASTER_KEY_FILE=/proc # as C#',
  ]
  const { stdout } = await startWith(file.join('\n'))
  const cut = 'has a # without quotes around the value: what follows is a comment and no part of it'
  const lines = stdout.trim().split('\n')
  const texts = lines.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((msg) => msg.startsWith('Line'))
  expect(texts).toEqual([`Line 1 of .env ${cut}`, `Line 4 of .env ${cut}`])
  expect(stdout).not.toContain('secret')
})

test.each([
  ['a wrong setting', 'LOG_LEVEL="loud'],
  ['a right one', 'DISCORD_URL="https://discord.example'],
  ['a path', 'GEOIP_COUNTRY_FILE="/no/country.mmdb'],
  ['a list', 'TRUSTED_PROXIES="10.0.0.0/8'],
  ['an address of PostgreSQL', 'DATABASE_URL="postgres://127.0.0.1:1/signet'],
])("a quote that isn't closed in %s stops the start without repeating the lines after it", async (_, line) => {
  const { code, stderr, stdout } = await startWith(`${line}\nADMIN_PASSWORD=canary-1234\nS3_REGION="eu"\n`)
  expect([code, stderr, stdout]).toEqual([1, expect.stringMatching(/^[A-Z_]+ must be .*\n$/), ''])
  expect(stderr).not.toContain('canary')
})

test('a command that fails because a setting is misspelled names it', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, '.env'), 'TLS_CERT_FIEL=/etc/cert.pem\nTLS_KEY_FILE=/etc/key.pem\n')
  expect(await runTool('verify-ledger', [], { environment: { DATA_DIR: folder } })).toEqual({
    code: 1,
    output:
      'TLS_CERT_FILE and TLS_KEY_FILE go together. ' +
      'TLS_CERT_FIEL in .env is not a setting; did you mean TLS_CERT_FILE?\n',
  })
})
