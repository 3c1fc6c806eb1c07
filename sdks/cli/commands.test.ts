import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FlakyProxy } from '../../testing/faults/flaky-proxy.ts'
import { signedIn, userPassword } from '../../testing/people/end-users.ts'
import { newSeller, newShop, type Shop, sold, soldLicense, soldUser } from '../../testing/people/sellers.ts'
import { programEnvironment } from '../../testing/servers/program-environment.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { newSignet, runHere, type Signet } from './run-signet.ts'

/** What each command does, on the real server. */

let app: TestApp
let shop: Shop
let signet: Signet

beforeAll(async () => {
  app = await startTestApp({ clockRuns: true })
  shop = await newShop(app)
  signet = newSignet({ SIGNET_URL: app.url, SIGNET_KEY: shop.seller.key })
})
afterAll(async () => {
  rmSync(signet.home, { recursive: true })
  await app.close()
})

/** What a command that must succeed prints. */
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await signet.run(args)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`)
  return stdout
}

const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await printed(...args, '--json')) as T

describe('licenses', () => {
  test('are created once for an idempotency key, and their keys are printed whole', async () => {
    const args = ['licenses', 'create', '--amount', '3', '--level', '1', '--days', '7', '--notes', 'order 1']
    const first = await printed(...args, '--idempotency-key', 'order-1')
    expect(first).toMatch(/^(?:[\w-]{19}\n){3}$/)
    expect(await printed(...args, '--idempotency-key', 'order-1')).toBe(first)
    expect((await printed(...args)).split('\n')).not.toContain(first.split('\n')[0])
    const { license } = await json<{ license: object }>('licenses', 'show', first.split('\n')[0] ?? '')
    expect(license).toMatchObject({ expiry: 7 * 86_400, notes: 'order 1', level: 1 })
    const mask = await printed('licenses', 'create', '--level', '1', '--lifetime', '--mask', 'GOLD-########-####')
    expect(mask).toMatch(/^GOLD-\w{8}-\w{4}\n$/)
  })

  test('are banned, unbanned, extended, shown, and deleted, also with a key that is no word', async () => {
    const { licenses } = await sold<{ licenses: string[] }>(shop.seller, 'POST', '/licenses', {
      amount: 1,
      level: 1,
      mask: "a/b?c=%.'################",
    })
    const key = licenses[0] ?? ''
    expect(await printed('licenses', 'ban', key)).toBe('License banned successfully\n')
    expect(await printed('licenses', 'show', key)).toMatch(/^Status +banned$/m)
    await printed('licenses', 'unban', key)
    await printed('licenses', 'extend', key, '--days', '10')
    expect(await printed('licenses', 'show', key)).toMatch(/^Time +40 days$/m)
    await printed('licenses', 'delete', key, '--yes')
    const gone = await signet.run(['licenses', 'show', key, '--json'])
    expect([gone.code, (JSON.parse(gone.stdout) as { code: string }).code]).toEqual([1, 'LICENSE_NOT_FOUND'])
    expect(gone.stderr).toContain('License not found (LICENSE_NOT_FOUND')
  })

  test('are in no file if a person interrupts their export', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
    const file = join(signet.home, 'interrupted.csv')
    const child = signet.start(['licenses', 'export', '--output', file], { SIGNET_URL: url })
    await once(silent, 'request')
    expect(existsSync(file)).toBe(true)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
    silent.close()
    expect(existsSync(file)).toBe(false)
  })

  test('are listed by page or all, and exported to a file that only its user can read', async () => {
    const notes = 'batch =1+1'
    await sold(shop.seller, 'POST', '/licenses', { amount: 205, level: 1, notes: `x, ${notes}` })
    const all = await json<{ licenses: unknown[] }>('licenses', 'list', '--search', notes, '--all')
    expect(all.licenses).toHaveLength(205)
    const page = await signet.run(['licenses', 'list', '--search', notes, '--limit', '100', '--page', '3'])
    expect([page.stdout.split('\n').length, page.stderr]).toEqual([7, 'Page 3 of 3, 205 licenses in all\n'])
    const file = join(signet.home, 'keys.txt')
    await printed('licenses', 'export', '--format', 'txt', '--search', notes, '--output', file)
    expect(new Set(readFileSync(file, 'utf8').trim().split('\n')).size).toBe(205)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // An export that fails leaves no file.
    const failed = join(signet.home, 'failed.txt')
    expect((await signet.run(['licenses', 'export', '--status', 'none', '--output', failed])).code).not.toBe(0)
    expect(existsSync(failed)).toBe(false)
    // A file is never replaced.
    expect((await signet.run(['licenses', 'export', '--output', file])).code).toBe(2)
    const csv = await printed('licenses', 'export', '--search', notes)
    expect(csv.split('\n')).toHaveLength(207)
    await sold(shop.seller, 'POST', '/licenses', { amount: 1, level: 1, notes: '=HYPERLINK("x")' })
    expect(await printed('licenses', 'export', '--search', 'HYPERLINK')).toContain(`"'=HYPERLINK(""x"")"`)
  })
})

/** The server behind a proxy that does something before it passes on the request of a page. */
async function beforePage(page: number, act: () => Promise<unknown>): Promise<{ url: string; close: () => void }> {
  let isDone = false
  const proxy = createServer(async ({ url = '', headers }, response) => {
    if (!isDone && url.includes(`page=${page}&`)) {
      isDone = true
      await act()
    }
    const answer = await fetch(app.url + url, { headers: { authorization: headers.authorization ?? '' } })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return { url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`, close: () => proxy.close() }
}

test('an export has every license that was there the whole time, although others leave its filter meanwhile', async () => {
  const body = { amount: 250, level: 1, notes: 'shrinking' }
  const { licenses } = await sold<{ licenses: string[] }>(shop.seller, 'POST', '/licenses', body)
  const newest = licenses.slice(-3)
  const { url, close } = await beforePage(2, async () => {
    for (const key of newest) await sold(shop.seller, 'POST', `/licenses/${key}/ban`)
  })
  const args = ['licenses', 'export', '--format', 'txt', '--search', 'shrinking', '--status', 'unused']
  const { stdout } = await signet.run(args, { env: { SIGNET_URL: url } })
  close()
  expect(stdout.trim().split('\n').toSorted()).toEqual(licenses.toSorted())
})

describe('users', () => {
  test('are found by a variable, and changed', async () => {
    const name = await soldUser(shop.seller, { days: 5 })
    await sold(shop.seller, 'PUT', `/users/${name}/variables/discord`, { data: 'a=b 1234' })
    expect(await printed('users', 'find', 'discord=a=b 1234')).toContain(name)
    for (const [verb, status] of [
      ['ban', 'banned'],
      ['unban', 'active'],
      ['pause', 'paused'],
      ['unpause', 'active'],
      ['reset-hwid', 'active'],
    ]) {
      await printed('users', verb ?? '', name)
      expect(await printed('users', 'show', name)).toMatch(new RegExp(`^Status +${status}$`, 'm'))
    }
    await printed('users', 'extend', name, '--level', '1', '--days', '5')
    const { users } = await json<{ users: { subscriptions: Record<string, { time_left: number }> }[] }>(
      'users',
      'list',
      '--search',
      name,
    )
    expect(Math.ceil((users[0]?.subscriptions['1']?.time_left ?? 0) / 86_400)).toBe(10)
    expect(await printed('users', 'delete', name, '--yes')).toBe('User deleted successfully\n')
    expect((await signet.run(['users', 'show', name])).code).toBe(1)
  })

  test('whose sessions are listed and ended', async () => {
    const name = `with-session-${await soldUser(shop.seller)}`
    await sold(shop.seller, 'POST', '/users', { username: name, password: userPassword })
    await sold(shop.seller, 'POST', `/users/${name}/subscriptions`, { level: 1, duration: 5 })
    await signedIn(app, shop.owner, name)
    const { sessions } = await json<{ sessions: { session_id: string }[] }>('sessions', 'list', '--user', name)
    expect(sessions).toHaveLength(1)
    expect(await printed('sessions', 'list')).toContain(sessions[0]?.session_id)
    await printed('sessions', 'end', sessions[0]?.session_id ?? '')
    await signedIn(app, shop.owner, name)
    expect(await printed('sessions', 'end', '--user', name)).toMatch(/^Deleted 1 session/)
  })
})

test('the variables and settings of the app are read and changed', async () => {
  // Programs of the other tests start with the settings of theirs.
  const { seller } = await newShop(app)
  const signet = newSignet({ SIGNET_URL: app.url, SIGNET_KEY: seller.key })
  const printed = async (...args: string[]) => (await signet.run(args)).stdout
  await signet.run(['variables', 'set', 'motd', '-', '--public'], { input: 'Hello\u001B[1m\nworld\n' })
  expect(await printed('variables', 'get', 'motd')).toBe('Hello\u001B[1m\nworld\n')
  const list = await printed('variables', 'list')
  expect(list).toContain(String.raw`Hello\x1b[1m\nworld`)
  expect(list).toContain('everybody')
  await printed('variables', 'delete', 'motd', '--yes')
  expect((await signet.run(['variables', 'get', 'motd'])).code).toBe(1)
  await printed('settings', 'set', 'version=3.1', 'hwidLock=false', 'minimumHwidLength=12')
  expect(JSON.parse(await printed('settings', 'get', '--json'))).toMatchObject({
    settings: { version: '3.1', hwidLock: false, minimumHwidLength: 12 },
  })
  expect(await printed('settings', 'get', 'version')).toBe('3.1\n')
  expect(await printed('settings')).toMatch(/^hwidLock +false$/m)
  expect((await signet.run(['settings', 'set', 'version=4', 'hashToCheck=short'])).code).toBe(1)
  expect(await printed('settings', 'get', 'version')).toBe('3.1\n')
  rmSync(signet.home, { recursive: true })
})

test('the log is shown, and followed until Ctrl-C while new entries come', async () => {
  const name = await soldUser(shop.seller, { days: 5 })
  const proxy = await FlakyProxy.start(app.url)
  const follower = signet.start(['logs', '--follow', '--json', '--user', name, '--interval', '1'], {
    SIGNET_URL: proxy.url,
  })
  const lines = createInterface(follower.stdout)[Symbol.asyncIterator]()
  const next = lines.next()
  await signedIn(app, shop.owner, name, 'Correct7Horse')
  app.advance(30)
  expect(JSON.parse(String((await next).value))).toMatchObject({ credential: name, code: '' })
  // A server that is away for a while takes no entry away.
  const problem = once(follower.stderr, 'data')
  await proxy.reject()
  expect(String(await problem)).toContain('trying again')
  await sold(shop.seller, 'POST', `/users/${name}/ban`, {})
  await expect(signedIn(app, shop.owner, name, 'Correct7Horse')).rejects.toThrow('could not sign in')
  app.advance(30)
  await proxy.restore()
  let entry: { code: string }
  do entry = JSON.parse(String((await lines.next()).value)) as { code: string }
  while (entry.code === '')
  expect(entry).toMatchObject({ credential: name, code: 'USER_BANNED' })
  const ended = once(follower, 'close')
  follower.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  await proxy.close()
  expect(await printed('logs', '--user', name)).toMatch(new RegExp(`login +${name} `))
  expect(await printed('logs', '--rejected', '--code', 'NO_SUCH_CODE')).toMatch(/^TIME/)
})

test('whoami shows the server, its version, and the key with its app and permissions', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const key = shop.seller.key.slice(0, 16)
  expect(await json('whoami')).toMatchObject({
    server: app.url,
    serverVersion: version,
    key: { id: key, name: 'Shop', fullAccess: true },
    app: { id: shop.owner.appId, name: shop.owner.appName },
    profile: null,
    totals: { success: true },
  })
  const shown = await printed('whoami')
  expect(shown).toMatch(new RegExp(`^Server +${app.url}, version ${version}$`, 'm'))
  expect(shown).toMatch(new RegExp(`^Key +${key} Shop$`, 'm'))
  expect(shown).toMatch(/^Permissions +all$/m)
  expect(await printed('--version')).toBe(`${version}\n`)
})

test('whoami and login work with a key of any permission, and whoami leaves out totals that it may not read', async () => {
  const whitelistedIPs = ['127.0.0.1', '10.0.0.0/8']
  const limited = await newSeller(app, shop.owner, { keyName: 'Log', permissions: ['logs:read'], whitelistedIPs })
  const person = newSignet({ SIGNET_URL: app.url })
  const login = await person.run(['login'], { input: limited.key })
  expect([login.code, login.stdout]).toEqual([0, expect.stringContaining(`for the app ${shop.owner.appName} with`)])
  const { code, stdout } = await person.run(['whoami'])
  rmSync(person.home, { recursive: true })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Permissions +logs:read$/m)
  expect(stdout).toMatch(/^Allowed from +2 IP addresses or networks$/m)
  expect(stdout).not.toMatch(/^Licenses/m)
})

test('whoami says until when a rotated key works', async () => {
  const old = await newSeller(app, shop.owner)
  await shop.owner.visitor.call('POST /rotate_seller_key', { body: { sellerKey: old.key, overlapHours: 2 } })
  const { stdout } = await signet.run(['whoami'], { env: { SIGNET_KEY: old.key } })
  expect(stdout).toMatch(/^Rotated +this key works until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m)
})

test('every command has a help, which needs no sign-in', async () => {
  const { code, stdout } = await runHere(['help'])
  expect(code).toBe(0)
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z -]*[a-z])(?= |$)/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(30)
  for (const name of names) {
    const help = await runHere(['help', ...name.split(' ')])
    expect(help.stdout, name).toMatch(new RegExp(`^Usage: signet ${name}`))
    expect((await runHere([...name.split(' '), '--help'])).stdout).toBe(help.stdout)
  }
})

test('the completion scripts complete nouns, verbs, and options', async () => {
  const run = promisify(execFile)
  const { stdout: script } = await runHere(['completion', 'bash'])
  const completed = async (...words: string[]) => {
    const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
    const { stdout } = await run('bash', ['-c', `${script}\n${line}; _signet; echo "\${COMPREPLY[*]}"`])
    return stdout.trim().split(/\s+/)
  }
  expect(await completed('signet', 'li')).toEqual(['licenses'])
  expect(await completed('signet', 'licenses', 'ex')).toEqual(['extend', 'export'])
  expect(await completed('signet', 'licenses', 'extend', '--da')).toEqual(['--days'])
  expect(await completed('signet', 'logs', '--fo')).toEqual(['--follow'])
  for (const shell of ['zsh', 'fish']) expect((await runHere(['completion', shell])).stdout).toContain('reset-hwid')
})

test('in a terminal, the key is not shown while it is typed, tables fit, and keys stay whole', async () => {
  const key = await soldLicense(shop.seller, { notes: 'n'.repeat(300) })
  const terminal = newSignet()
  const python = process.env['SIGNET_PYTHON'] ?? 'python3'
  const program = `
import os, pty, sys, json
def run(args, answers, width=90):
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(args[0], args)
    import fcntl, termios, struct
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    out = b""
    while True:
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        out += chunk
        if answers and answers[0][0].encode() in out:
            os.write(fd, answers.pop(0)[1].encode())
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out.decode()
print(json.dumps([run(*each) for each in json.load(sys.stdin)]))
`
  const node = [process.execPath, join(import.meta.dirname, 'src/signet.ts')]
  const runs = [
    [
      [...node, 'login'],
      [
        ['Server: ', `${app.url}\r`],
        ['Seller key: ', `x\u007F${shop.seller.key}\r`],
      ],
    ],
    [[...node, 'licenses', 'list', '--search', key], []],
    [[...node, 'licenses', 'list', '--search', key], [], 30],
    [[...node, 'licenses', 'delete', key], [['[y/N]', 'n\r']]],
    [[...node, 'licenses', 'delete', key], [['[y/N]', '\u0004']]],
    [[...node, 'licenses', 'delete', key], [['[y/N]', '\u0003']]],
    [[...node, 'licenses', 'delete', key], [['[y/N]', 'y\r']]],
  ]
  const child = execFile(python, ['-c', program], {
    env: {
      ...programEnvironment,
      HOME: terminal.home,
      XDG_CONFIG_HOME: terminal.home,
      NO_COLOR: '1',
      TERM: 'xterm',
    },
  })
  let text = ''
  child.stdout?.on('data', (chunk: string) => (text += chunk))
  child.stdin?.end(JSON.stringify(runs))
  await once(child, 'close')
  rmSync(terminal.home, { recursive: true })
  const [login, list, narrow, kept, ended, interrupted, deleted] = JSON.parse(text) as [number, string][]
  expect(login).toEqual([0, expect.stringContaining('Signed in')])
  expect(login?.[1]).not.toContain(shop.seller.key.slice(-20))
  expect(list).toEqual([0, expect.stringContaining(key)])
  expect(list?.[1]).not.toContain('\u001B')
  for (const line of list?.[1].split('\r\n') ?? []) expect(line.length).toBeLessThanOrEqual(90)
  expect(narrow).toEqual([0, expect.stringContaining(key)])
  expect(kept).toEqual([2, expect.stringContaining('Nothing was changed')])
  expect(ended).toEqual([2, expect.stringContaining('Nothing was changed')])
  expect(interrupted).toEqual([130, expect.not.stringContaining('Error')])
  expect(deleted).toEqual([0, expect.stringContaining('License deleted')])
})

test.runIf(existsSync('/dev/full'))(
  'an output that cannot be written ends the command with 2, and says what is done',
  async () => {
    const source = join(import.meta.dirname, 'src/signet.ts')
    const command = `"${process.execPath}" "${source}" licenses create --level 1 --notes unwritten > /dev/full`
    const env = { ...programEnvironment, HOME: signet.home, SIGNET_URL: app.url, SIGNET_KEY: shop.seller.key }
    const ended = await promisify(execFile)('sh', ['-c', command], { env }).catch((error: unknown) => error)
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^signet: .*ENOSPC.*completed the request\.\n$/),
    })
    const { licenses } = await json<{ licenses: object[] }>('licenses', 'list')
    expect(licenses).toContainEqual(expect.objectContaining({ notes: 'unwritten' }))
  },
)
