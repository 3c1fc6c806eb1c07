/** As the server wrote it into the page: whether owners may register, and whether an administrator is missing. */
export const registrationState = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="signet-registration"]')?.content ?? 'open'
