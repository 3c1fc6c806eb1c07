import { expect, test } from 'vitest'
import { PaceMeter } from './upload-pace.ts'

const mb = 1_000_000

/** A meter of 100 MB to which one sample a second was added; each is the bytes of that second. */
function measured(...bytesEachSecond: number[]): PaceMeter {
  const meter = new PaceMeter(100 * mb, 1000)
  let sent = 0
  bytesEachSecond.forEach((bytes, at) => meter.add((sent += bytes), 1000 + (at + 1) * 1000))
  return meter
}

test('an even upload has its speed, and the time that the rest takes at that speed', () => {
  expect(measured(2 * mb, 2 * mb, 2 * mb).paceAt(4000)).toEqual({
    sentBytes: 6 * mb,
    bytesPerSecond: 2 * mb,
    secondsLeft: 47,
  })
})

test('nothing is said in the first second, when bytes only fill buffers', () => {
  const meter = new PaceMeter(100 * mb, 1000)
  meter.add(10 * mb, 1200)
  expect(meter.paceAt(1900)).toEqual({ sentBytes: 10 * mb, bytesPerSecond: undefined, secondsLeft: undefined })
})

test('a connection that becomes slower shows the speed of its last five seconds', () => {
  const fast = Array<number>(10).fill(5 * mb)
  const slow = Array<number>(5).fill(mb)
  expect(measured(...fast, ...slow).paceAt(16_000)).toEqual({
    sentBytes: 55 * mb,
    bytesPerSecond: mb,
    secondsLeft: 45,
  })
})

test('an upload that stalls has no speed and no end after five seconds, and has both again once it goes on', () => {
  const meter = measured(5 * mb, 5 * mb)
  expect(meter.paceAt(5000).bytesPerSecond).toBe(2.5 * mb)
  expect(meter.paceAt(8000)).toEqual({ sentBytes: 10 * mb, bytesPerSecond: 0, secondsLeft: undefined })
  expect(meter.paceAt(60_000)).toEqual({ sentBytes: 10 * mb, bytesPerSecond: 0, secondsLeft: undefined })
  meter.add(15 * mb, 61_000)
  expect(meter.paceAt(61_000)).toEqual({ sentBytes: 15 * mb, bytesPerSecond: mb, secondsLeft: 85 })
})

test('once all bytes are sent, no time is left', () => {
  expect(measured(50 * mb, 50 * mb).paceAt(3000).secondsLeft).toBe(0)
})
