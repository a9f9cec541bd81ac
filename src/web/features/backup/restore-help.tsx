/** How a backup comes back. It is done beside the server and not here: what it replaces includes this page's session. */
export function RestoreHelp() {
  return (
    <details className="rounded-box border px-4">
      <summary className="cursor-pointer py-2.5 font-semibold">How to restore a backup</summary>
      <ol className="grid list-decimal gap-2 pb-4 pl-5 text-sm">
        <li>Stop NSTP Portal on the machine that shall have the records. It may be a new machine.</li>
        <li>
          In the folder of NSTP Portal run <Command>npm run restore -- FILE</Command> with the backup's file
          name. All of the file is checked before anything is replaced, and if anything goes wrong, what was
          there stays.
        </li>
        <li>
          Start NSTP Portal and sign in again, with the password of the time of the backup. Records that came
          after the backup are not in it.
        </li>
        <li>
          On a new machine also bring the secret key (<Command>SECRET_KEY</Command>, or the file{' '}
          <Command>secret.key</Command> of the data folder), else two-factor sign-in has to be set up again.
        </li>
      </ol>
    </details>
  )
}

function Command({ children }: { children: string }) {
  return <code className="rounded bg-soft px-1 py-0.5 font-mono whitespace-nowrap">{children}</code>
}
