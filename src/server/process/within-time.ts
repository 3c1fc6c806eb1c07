export class TookTooLong extends Error {}

const tookTooLong = (ms: number) => new TookTooLong(`No answer within ${ms} ms`)

/**
 * Rejects with `TookTooLong`, or another `failure`, after the given number of milliseconds; the work itself continues.
 */
export async function withinTime<T>(
  work: Promise<T>,
  ms: number,
  failure: () => Error = () => tookTooLong(ms),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(failure()), ms)
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}
