/** `sdks/codes.json`. */
export interface ClientCodes {
  about: string
  codes: Record<string, CodeEntry>
}

export interface CodeEntry {
  /** What an error with this code says about the license. */
  verdict: 'lost' | 'request' | 'temporary' | 'unverified'
  /** Sentence for customers, by language. */
  message: Record<'en' | 'pt' | 'es', string>
}
