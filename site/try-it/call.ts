/** What a page says about an operation, for its form. */

export interface TryItField {
  name: string
  place: 'path' | 'query' | 'header' | 'form' | 'file'
  isRequired: boolean
  /** Of the example. */
  value: string
  /** What it may be. */
  type: string
}

export interface TryItCall {
  id: string
  title: string
  method: string
  /** Parameters as `{name}`. */
  path: string
  summary: string
  fields: TryItField[]
  /** JSON of the example. */
  body?: string
  /** Send asks once more. */
  needsConfirmation?: boolean
  /** The field of the body that says how many are changed; Send asks once more if there are several. */
  countField?: string
}
