/** Windows in the background don't paint. */
const longestMs = 100

/** Resolves once what is being rendered has been painted: for reads that no reader waits for. */
export const afterPaint = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, longestMs)
  })
