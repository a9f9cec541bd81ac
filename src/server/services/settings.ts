import { createAuditService } from '#server/features/audit/service.ts'
import { createBackupService } from '#server/features/backup/service.ts'
import { createSnapshotRepository } from '#server/features/backup/snapshot-repository.ts'
import { createFilesService } from '#server/features/files/service.ts'
import { createRetentionService } from '#server/features/settings/retention-service.ts'
import { createSettingsService } from '#server/features/settings/service.ts'
import { fingerprintOf } from '#server/lib/secret-key.ts'
import type { AppContext } from './context.ts'

export function createSettingsServices(context: AppContext) {
  const { env, database, notices, log, clock, secretKey, closing, audit } = context
  const { publish } = notices
  const timeZone = env.TZ_PROGRAM
  const settings = createSettingsService({ database, notices, clock, audit, log, closing })
  const files = createFilesService({ db: database.db, clock })
  const trail = createAuditService({
    database,
    audit,
    clock,
    timeZone,
    retentionMonths: () => settings.current().auditRetentionMonths,
  })
  const retention = createRetentionService({
    database,
    clock,
    audit,
    publish,
    years: () => settings.current().recordRetentionYears,
  })
  const backups = createBackupService({
    snapshots: createSnapshotRepository(database),
    db: database.db,
    audit,
    clock,
    log,
    timeZone,
    secretKey: fingerprintOf(secretKey),
  })
  return {
    settings,
    trail,
    files,
    parts: {
      settings: { settings, files },
      files: { files },
      audit: { trail },
      retention: { retention },
      backup: { backups },
    },
  }
}
