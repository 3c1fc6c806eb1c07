import { startTestApp } from '#testing/start-test-app.ts'
import { timeOf } from './percentiles.ts'

/** Start time of a test app, several times in one process as in a test run. */
const times: number[] = []
for (let round = 0; round < 8; round++) {
  let close = async () => {}
  times.push(await timeOf(async () => (close = (await startTestApp()).close)))
  await close()
}
process.send?.(times)
process.disconnect()
