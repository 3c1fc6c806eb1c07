import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { SignetMark } from './entry-layout.tsx'

export function TermsPage() {
  const sections = [
    {
      title: t`Your account`,
      text: t`Keep your password to yourself; you are responsible for everything done with your account. Give a valid email address: administrators use it to reach you.`,
    },
    {
      title: t`Your software and your customers`,
      text: t`The software you protect stays yours. You are responsible for the software you distribute, for what you promise your customers, and for telling them what your program sends to this server: a hardware ID, an address and the times of its sessions.`,
    },
    {
      title: t`Fair use`,
      text: t`Don't use this service for malware, to attack others, or to sell what you have no right to sell. Don't try to access other accounts' data. An administrator may pause or close an account that does.`,
    },
    {
      title: t`Data`,
      text: t`This server stores what its screens show: your account, your apps and their licenses, users, sessions and logs. You can export and delete it. Deleted data is not kept to be sold or shown to anyone.`,
    },
    {
      title: t`No warranty`,
      text: t`The service is provided as it is. It makes forged and replayed responses fail, but no licensing service can stop a person from changing a program on their own machine.`,
    },
    {
      title: t`Changes and termination`,
      text: t`These terms may change; changes are shown here before they apply. You can delete your account at any time in your profile.`,
    },
  ]
  return (
    <main id="content" className="mx-auto max-w-[720px] px-6 py-8">
      <SignetMark />
      <h1 tabIndex={-1} className="mt-10 text-[24px] leading-8 font-semibold tracking-[-0.015em]">
        {t`Terms and conditions`}
      </h1>
      <p className="mt-1.5 text-ui text-text-2">
        {t`Between you and the operator of this server. They apply from the moment you create an account.`}
      </p>
      {sections.map(({ title, text }) => (
        <section key={title} className="mt-6 border-t border-line pt-5">
          <h2 className="text-section font-semibold">{title}</h2>
          <p className="mt-1.5 text-[14px] leading-[22px] text-text-2">{text}</p>
        </section>
      ))}
      <p className="mt-8 border-t border-line pt-5 text-ui">
        <Link to={paths.register()} className="text-accent-text underline underline-offset-2">
          {t`Create account`}
        </Link>
      </p>
    </main>
  )
}
