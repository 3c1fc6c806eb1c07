/** The error of the whole form. The live region is always rendered, so that its text is announced when it changes. */
export function FormError({ message }: { message: string | undefined }) {
  return (
    <div role="alert" className={message ? undefined : '-mb-4'}>
      {message && <p className="rounded-md tint-danger px-3 py-2 text-ui text-danger">{message}</p>}
    </div>
  )
}
