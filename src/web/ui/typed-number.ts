export interface TypedNumber {
  /** `undefined` while nothing, or no readable number, is typed. */
  value: number | undefined
  isReadable: boolean
}

const number = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)$/
/** A sign or a decimal mark may be the beginning of a number. */
const begun = /^[+-]?[.,]?$/
/** Such as 1,000 or 1.000: a thousand to some readers and one to others. */
const perhapsThousands = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/
/** Groups of three digits, with the same separator between all of them. */
const grouped = /^[+-]?[1-9]\d{0,2}([.,\s'’])\d{3}(?:\1\d{3})*$/
/** Countries that speak Spanish use either mark. */
const decimalMarks: Record<string, string> = { en: '.', 'pt-BR': ',' }

/**
 * Reads a point and a comma as the decimal mark, and in a field of whole numbers the thousands separators of the
 * language, or spaces. What could mean two numbers in the language is not readable.
 */
export function typedNumber(text: string, language: string, { isWhole }: { isWhole: boolean }): TypedNumber {
  const typed = text.trim()
  if (begun.test(typed)) return { value: undefined, isReadable: true }
  const decimalMark = decimalMarks[language]
  const separator = isWhole ? grouped.exec(typed)?.[1] : undefined
  if (separator !== undefined) {
    const isReadable = separator !== decimalMark
    return { value: isReadable ? Number(typed.replaceAll(separator, '')) : undefined, isReadable }
  }
  const mark = perhapsThousands.exec(typed)?.[1]
  const isReadable = number.test(typed) && (mark === undefined || mark === decimalMark)
  return { value: isReadable ? Number(typed.replace(',', '.')) : undefined, isReadable }
}

/** With the decimal mark of the language, as it can be typed again. */
export const numberText = (value: number | undefined, language: string): string =>
  value?.toLocaleString(language, { useGrouping: false, maximumFractionDigits: 10 }) ?? ''
