export function Avatar({ email }: { email: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center rounded-full bg-primary font-bold text-on-primary uppercase"
    >
      {email.slice(0, 1)}
    </span>
  )
}
