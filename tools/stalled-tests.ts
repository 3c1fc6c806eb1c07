import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const stalledMs = 15 * 60_000

/**
 * A Vitest reporter: a test that blocks its process cannot time out there, and would hang the run silently. If no file
 * starts or finishes for 15 minutes, this reports the running ones and ends the run with all its processes.
 */
export default class StalledTests implements Reporter {
  readonly #running = new Set<TestModule>()
  #timer: NodeJS.Timeout | undefined

  onTestModuleStart(module: TestModule): void {
    this.#running.add(module)
    this.#restart()
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module)
    this.#restart()
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer)
  }

  #restart(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#stop(), stalledMs).unref()
  }

  #stop(): void {
    for (const { moduleId, project } of this.#running) {
      console.error(`FAIL stalled: ${project.name} ${relative(process.cwd(), moduleId)}`)
    }
    killGroup()
  }
}

/** `npm test` starts Vitest as the leader of a process group; otherwise, only this process ends. */
function killGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(1)
  }
}
