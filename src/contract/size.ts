const bytesOf: Record<string, number> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** Parses a size such as `10MB` or `512 kb` to bytes; undefined if it is invalid. */
export function readSize(text: string): number | undefined {
  const [, amount, unit = ''] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*(kb|mb|gb)\s*$/i.exec(text) ?? []
  const factor = bytesOf[unit.toUpperCase()]
  return amount === undefined || factor === undefined ? undefined : Math.floor(Number(amount) * factor)
}
