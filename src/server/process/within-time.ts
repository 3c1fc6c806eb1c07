export class TookTooLong extends Error {}

/** Rejects with `TookTooLong` after the given number of milliseconds; the work itself continues. */
export async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`No answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}
