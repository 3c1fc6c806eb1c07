/** Why the whole form was refused. The region stands from the start, so that its text is read out when it comes. */
export function FormError({ message }: { message: string | undefined }) {
  return (
    <div role="alert" className={message ? undefined : '-mb-4'}>
      {message && <p className="rounded-md tint-danger px-3 py-2 text-ui text-danger">{message}</p>}
    </div>
  )
}
