export type ExportFormat = 'csv' | 'json' | 'txt'

/** Selected rows per call: the most that the server accepts. */
const rowsPerCall = 1000

/** Exports any number of selected rows as one file. */
export async function exportInParts(
  names: readonly string[],
  format: ExportFormat,
  read: (names: string[]) => Promise<{ content: string }>,
): Promise<string> {
  const parts: string[] = []
  for (let from = 0; from < names.length; from += rowsPerCall) {
    parts.push((await read(names.slice(from, from + rowsPerCall))).content)
  }
  const [only = '', ...others] = parts
  return others.length === 0 ? only : joined(format, parts)
}

function joined(format: ExportFormat, parts: readonly string[]): string {
  if (format === 'txt') return parts.join('')
  if (format === 'csv') return parts.map((part, at) => (at === 0 ? part : withoutHeader(part))).join('')
  const rows = parts.flatMap((part) => JSON.parse(part) as unknown[])
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
}

const withoutHeader = (csv: string): string => csv.slice(csv.indexOf('\r\n') + 2)
