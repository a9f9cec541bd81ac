export function FormTitle() {
  return (
    <header className="max-w-3xl">
      <h1 className="text-3xl font-bold tracking-tight md:text-4xl">NSTP Competent Enlistment Form</h1>
      <p className="mt-2 text-muted">
        National Service Training Program under Republic Act 9163 (NSTP Act of 2001)
      </p>
    </header>
  )
}
