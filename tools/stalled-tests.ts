import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const stalledMs = 15 * 60_000

/**
 * A Vitest reporter: a test that never lets its process go on can't be timed out there, and would stop the run
 * without a word. When no file has begun or ended for 15 minutes, this names those under way and ends the run
 * with all its processes.
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

/** `npm test` starts Vitest at the head of a process group; elsewhere only this process ends. */
function killGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(1)
  }
}
