const names = new Map<string, string>()

/** Notes a text that is run over and over, so that a database which can keep its plan does. */
export function keepPlanOf(text: string): void {
  if (!names.has(text)) names.set(text, `signet_${names.size + 1}`)
}

export const planNameOf = (text: string): string | undefined => names.get(text)

/** From here on the text is planned anew each time. */
export const forgetPlanOf = (text: string): void => void names.delete(text)
