/** Set by the server in the page: whether owners may register, and whether there is no administrator yet. */
export const registrationState = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="signet-registration"]')?.content ?? 'open'
