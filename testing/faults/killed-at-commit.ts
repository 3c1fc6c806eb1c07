import { rmSync, writeFileSync } from 'node:fs'

/**
 * A server process that kills itself at a commit, of either engine, as `kill -9` would: no handler runs. `environment`
 * belongs to the process.
 */
export function killedAtCommit(file: string): {
  environment: { NODE_OPTIONS: string }
  /** The process ends right before or right after the `nth` commit from now on, counted from 1. */
  arm(nth: number, moment: 'before' | 'after'): void
  disarm(): void
} {
  const module = `data:text/javascript,${encodeURIComponent(source(file))}`
  return {
    environment: { NODE_OPTIONS: `--import=${module}` },
    arm: (nth, moment) => writeFileSync(file, JSON.stringify({ nth, moment })),
    disarm: () => rmSync(file, { force: true }),
  }
}

/** The file is removed before the process ends, so that the next one lives. */
const source = (file: string) => `
  import fs from 'node:fs'
  import net from 'node:net'
  import { DatabaseSync } from 'node:sqlite'
  const file = ${JSON.stringify(file)}
  let commits = 0
  const die = () => { fs.rmSync(file); process.kill(process.pid, 'SIGKILL') }
  const isLast = (moment) => {
    if (!fs.existsSync(file)) return false
    const armed = JSON.parse(fs.readFileSync(file, 'utf8'))
    if (armed.moment === moment) commits += 1
    return armed.moment === moment && commits >= armed.nth
  }
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    if (sql !== 'commit') return exec.call(this, sql)
    if (isLast('before')) die()
    exec.call(this, sql)
    if (isLast('after')) die()
  }
  const { write } = net.Socket.prototype
  net.Socket.prototype.write = function (chunk, ...rest) {
    const isCommit = chunk instanceof Uint8Array && chunk.length < 100 && Buffer.from(chunk).includes('commit')
    if (isCommit && isLast('before')) die()
    if (isCommit && isLast('after')) this.prependOnceListener('data', die)
    return write.call(this, chunk, ...rest)
  }`
