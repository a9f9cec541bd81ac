export const confirmationPath = '/register/confirmation'

/** Shown to a returning student, to prevent a second enlistment. */
export function EnlistedNotice({ reference }: { reference: string | null }) {
  if (reference === null) return null
  return (
    <div className="border-b bg-success-soft text-success print:hidden">
      <p className="page-width flex flex-wrap items-center gap-x-4 py-1">
        <span className="py-1">
          You enlisted today: <span className="font-mono font-bold whitespace-nowrap">{reference}</span>
        </span>
        {/* A document load on purpose: without a connection the browser has its own copy of that page. */}
        <a
          href={confirmationPath}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          Open the confirmation
        </a>
      </p>
    </div>
  )
}
