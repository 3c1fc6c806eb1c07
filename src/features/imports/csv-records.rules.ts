/**
 * The records of a CSV file (RFC 4180), separated by commas, semicolons, or tabs, whichever the first line has most of.
 * Stops after `maxRecords` and the header. Undefined if a quoted value has no end.
 */
export function csvRecords(text: string, maxRecords: number): string[][] | undefined {
  const separator = separatorOf(text)
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length && records.length <= maxRecords) {
    const field = text[at] === '"' ? quotedField(text, at, separator) : plainField(text, at, separator)
    if (!field) return undefined
    record.push(field.value)
    at = field.end
    if (text[at] === separator) {
      at += 1
      // A separator at the very end begins an empty value.
      if (at < text.length) continue
      record.push('')
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    at += 1
    records.push(record)
    record = []
  }
  return records
}

function separatorOf(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1)
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

interface Field {
  value: string
  end: number
}

function plainField(text: string, from: number, separator: string): Field {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(from, end), end }
}

function quotedField(text: string, from: number, separator: string): Field | undefined {
  let value = ''
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return undefined
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') {
      // What stands between the quote and the next separator is no part of RFC 4180, and is kept.
      const rest = plainField(text, quote + 1, separator)
      return { value: value + rest.value, end: rest.end }
    }
    value += '"'
    at = quote + 2
  }
}
