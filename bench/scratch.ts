import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Child processes and folders of a run; `clear` removes all of them. */
export class Scratch {
  readonly #children = new Set<ChildProcess>()
  readonly #folders = new Set<string>()
  readonly #endings: (() => Promise<void>)[] = []

  folder(name: string): string {
    const path = mkdtempSync(join(tmpdir(), `signet-bench-${name}-`))
    this.#folders.add(path)
    return path
  }

  drop(folder: string): void {
    rmSync(folder, { recursive: true, force: true })
    this.#folders.delete(folder)
  }

  /** A Node child process with an IPC channel; it ends with this process. */
  node(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, [...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }

  atEnd(ending: () => Promise<void>): void {
    this.#endings.push(ending)
  }

  async clear(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    for (const ending of this.#endings.splice(0).toReversed()) await ending().catch(console.error)
    for (const folder of this.#folders) this.drop(folder)
  }
}
