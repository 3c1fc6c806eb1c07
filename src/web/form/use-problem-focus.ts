import { type RefObject, useEffect } from 'react'

interface Moment {
  submitCount: number
  error: unknown
  /** The field whose conflict was decided last. */
  settled: { name: string } | undefined
}

/** After each submit, failure and decision the first field that needs attention has the focus. */
export function useProblemFocus(
  form: RefObject<HTMLFormElement | null>,
  { submitCount, error, settled }: Moment,
): void {
  useEffect(() => {
    const inForm = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    if (submitCount === 0 && !settled) return
    const wrong = inForm('[aria-invalid=true], [data-conflict] button')
    if (wrong) wrong.focus()
    // The button that was pressed is gone.
    else if (settled) (inForm(`[name="${settled.name}"]`) ?? inForm('[type=submit]'))?.focus()
  }, [form, submitCount, error, settled])
}
