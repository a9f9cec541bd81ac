import { announcementCategories, categoryOf, type ManagedAnnouncement } from '#shared/announcements.ts'
import { imageLimits } from '#shared/images.ts'
import { ImageField } from '#web/components/image-field.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { TextField } from '#web/components/text-field.tsx'
import { AttachmentField } from './attachment-field.tsx'
import { ContentField } from './content-field.tsx'
import { MailField } from './mail-field.tsx'
import { PublicationFields } from './publication-fields.tsx'
import type { AnnouncementForm } from './use-announcement-form.ts'

interface AnnouncementFieldsProps {
  form: AnnouncementForm
  /** As the announcement is; null for a new one. */
  held: ManagedAnnouncement | null
}

/** The fields of the form: what is read on the left, what goes with it on the right. */
export function AnnouncementFields({ form, held }: AnnouncementFieldsProps) {
  const { values, change, errorOf } = form
  return (
    <div className="grid items-start gap-x-6 gap-y-5 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <TextField
          name="title"
          label="Title"
          required
          density="compact"
          autoComplete="off"
          value={values.title}
          error={errorOf('title')}
          onChange={({ target }) => change({ title: target.value })}
        />
        <ContentField
          value={values.content}
          error={errorOf('content')}
          onChange={(content) => change({ content })}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <SelectField
          name="category"
          label="Category"
          density="compact"
          options={announcementCategories}
          value={values.category}
          onChange={({ target }) => change({ category: categoryOf(target.value) })}
        />
        <label className="flex min-h-9 items-center gap-2.5 text-sm font-semibold">
          <input
            type="checkbox"
            name="pinned"
            className="size-4.5 accent-primary"
            checked={values.pinned}
            onChange={({ target }) => change({ pinned: target.checked })}
          />
          Pin before the others
        </label>
        <PublicationFields form={form} held={held} />
        <MailField form={form} held={held} />
        <Files form={form} held={held} />
      </div>
    </div>
  )
}

/** Each stays as it is, is replaced by a chosen file, or is removed (spec §4). */
function Files({ form: { values, change, errorOf, refuseField, hold }, held }: AnnouncementFieldsProps) {
  const { image, attachment, keepExistingImage, keepExistingAttachment } = values
  return (
    <>
      <ImageField
        name="image"
        label="Image"
        hint="JPEG, PNG, GIF or WEBP, at most 5 MB; a larger one is made smaller."
        maxBytes={imageLimits.announcement}
        currentUrl={keepExistingImage ? (held?.imageUrl ?? null) : null}
        chosen={image}
        error={errorOf('image')}
        onChoose={(file) => change({ image: file })}
        onRefuse={(sentence) => refuseField('image', sentence)}
        onHold={(sentence) => hold('image', sentence)}
        // What was chosen goes first; then what is in use.
        onRemove={() => change(image ? { image: null } : { image: null, keepExistingImage: false })}
      />
      <AttachmentField
        current={
          keepExistingAttachment && held?.attachmentName != null
            ? { name: held.attachmentName, size: held.attachmentSize }
            : null
        }
        chosen={attachment}
        error={errorOf('attachment')}
        onChoose={(file) => change({ attachment: file })}
        onRefuse={(sentence) => refuseField('attachment', sentence)}
        onRemove={() =>
          change(attachment ? { attachment: null } : { attachment: null, keepExistingAttachment: false })
        }
      />
    </>
  )
}
