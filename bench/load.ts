import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { LoadJob, LoadResult } from './load-job.ts'
import type { Scratch } from './scratch.ts'

/** The load client in a separate process, which stays warm between jobs. */
export class Load {
  readonly #child: ChildProcess

  constructor(scratch: Scratch) {
    this.#child = scratch.node([join(import.meta.dirname, 'load-client.ts')])
    this.#child.stderr?.pipe(process.stderr)
  }

  /** Runs a job; all replies must have status 200. */
  async run(job: LoadJob): Promise<LoadResult> {
    const result = await new Promise<LoadResult | { error: string }>((resolve, reject) => {
      const lost = () => reject(new Error('The load client died'))
      this.#child.once('exit', lost)
      this.#child.once('message', (answer) => {
        this.#child.removeListener('exit', lost)
        resolve(answer as LoadResult)
      })
      this.#child.send(job)
    })
    if ('error' in result) throw new Error(result.error)
    const rejections = Object.entries(result.errors).map(([status, body]) => `${status}: ${body}`)
    if (rejections.length > 0) throw new Error(`${job.path} answered ${rejections.join('\n')}`)
    return result
  }

  end(): void {
    this.#child.disconnect()
  }
}

export const perSecond = ({ answered, ms }: LoadResult): number => (answered / ms) * 1000
