import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The rules of docs/signet.nft, in a separate network namespace where nothing else checks addresses (R-WHK-10). */

const run = promisify(execFile)
const inside = ['10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.255.254', '192.168.0.1', 'fd00::1']
const outside = ['192.0.2.1', '172.32.0.1', '2001:db8::1']

/** Reports which addresses are reachable before the rules, after them, and over connections opened before. */
const script = `
const { connect, createServer } = require('node:net')
const { execFileSync } = require('node:child_process')
const [rules, ...addresses] = process.argv.slice(1)
const reach = (host, port) => new Promise((resolve) => {
  const socket = connect({ host, port })
  socket.on('connect', () => resolve(socket)).on('error', () => resolve(undefined))
})
const server = createServer((socket) => socket.on('data', (bytes) => socket.write(bytes))).listen(0, '::', async () => {
  const { port } = server.address()
  const tried = async () => {
    const sockets = []
    for (const address of addresses) sockets.push(await reach(address, port))
    return sockets
  }
  // Connections are only tracked if some rule checks their state.
  execFileSync('nft', ['-f', '-'], { input: 'table inet before { chain output { type filter hook output priority filter; ct state established accept; }; }' })
  const before = await tried()
  execFileSync('nft', ['-f', '-'], { input: rules })
  const after = await tried()
  const answered = await Promise.all(before.map((socket) => new Promise((resolve) => {
    if (!socket) return resolve(false)
    socket.once('data', () => resolve(true)).write('still there')
  })))
  const reached = (sockets) => addresses.filter((_, at) => sockets[at])
  console.log(JSON.stringify({ before: reached(before), after: reached(after), answered: addresses.filter((_, at) => answered[at]) }))
  process.exit()
})`

/** Not every machine allows unprivileged network namespaces or has nft. */
function hasNetworks(): boolean {
  try {
    execFileSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up && nft list ruleset'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.runIf(hasNetworks())(
  'with docs/signet.nft no address inside is reached, others are, and who was connected stays so (R-WHK-10)',
  async () => {
    // The namespace only has the user of the server.
    const rules = readFileSync(join(import.meta.dirname, '../docs/signet.nft'), 'utf8').replaceAll(
      'skuid "signet"',
      'skuid 0',
    )
    const addresses = [...inside, ...outside]
    const setUp = [
      'ip link set lo up',
      ...addresses.map((address) => `ip addr add ${address}/${address.includes(':') ? 128 : 32} dev lo`),
      'exec "$@"',
    ].join(' && ')
    const node = [process.execPath, '-e', script, rules, ...addresses]
    const { stdout } = await run('unshare', ['-rn', 'sh', '-c', setUp, 'sh', ...node], { timeout: 120_000 })
    expect(JSON.parse(stdout)).toEqual({ before: addresses, after: outside, answered: addresses })
  },
)
