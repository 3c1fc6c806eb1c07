const entities: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

/** A text as the content of an HTML element, or as a double-quoted attribute. */
export const htmlText = (text: string): string => text.replaceAll(/[&"<>]/g, (sign) => entities[sign] as string)
