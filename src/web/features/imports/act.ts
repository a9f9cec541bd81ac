/**
 * Does something with the import: keeps what went wrong in sight, and reads the import again. Tells whether it
 * went well.
 *
 * @param failed what the person reads when it didn't; the reason follows
 */
export type Act = (failed: string, action: () => Promise<unknown>) => Promise<boolean>
