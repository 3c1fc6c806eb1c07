import type { ReactNode, Ref } from 'react'
import { submitting } from '#web/form/submitting.ts'
import { FormError } from './form-error.tsx'

interface EntryFormProps {
  formRef?: Ref<HTMLFormElement>
  onSubmit: () => void
  /** Shown above the error. */
  notice?: ReactNode
  error: string | undefined
  children: ReactNode
}

/** The form of a page in `EntryLayout`. Browser validation is off, so that the texts are ours. */
export const EntryForm = ({ formRef, onSubmit, notice, error, children }: EntryFormProps) => (
  <form ref={formRef} noValidate className="flex flex-col gap-4" onSubmit={submitting(onSubmit)}>
    {notice}
    <FormError message={error} />
    {children}
  </form>
)
