const names = new Map<string, string>()
/** Never reused: connections keep the plans of forgotten texts. */
let lastNumber = 0

/** Registers a frequently run text, so that the database can keep its plan. */
export function keepPlanOf(text: string): void {
  if (!names.has(text)) names.set(text, `signet_${++lastNumber}`)
}

export const planNameOf = (text: string): string | undefined => names.get(text)

/** The text is planned anew each time from now on. */
export const forgetPlanOf = (text: string): void => void names.delete(text)
