import { formatQuantity, operations, type AnswerOf } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { client, useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Caution } from '../components/caution.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { DownloadFile } from '../components/download-file.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Button } from '../components/button.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { saveFile } from '../components/save-file.ts'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { FileUploads } from '../design/file-uploads.tsx'
import { problemWords } from '../problem-words.ts'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/files')

type ProjectFile = AnswerOf<typeof operations.listProjectFiles>['files'][number]

const outdates = [operations.listProjectFiles, operations.sanityCheckVirtualUser]

/** Files that virtual users of a project read or send. */
export function ProjectFilesPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(operations.listProjectFiles, { project_id: projectId })
  const restore = useCall(operations.restoreProjectFile, outdates)
  const [deleted, setDeleted] = useState<{ path: string; fileId: string }>()
  const [opened, setOpened] = useState<string>()
  const download = useMutation({
    mutationFn: (fileId: string) => client.call(operations.downloadFile, { file_id: fileId }),
    onSuccess: ({ download: { url }, name }) => saveFile(url, name),
    onError: (error) => say(`The file cannot be downloaded: ${problemWords(error).detail}`),
  })
  const bringBack = (path: string, fileId: string) =>
    restore.mutate(
      { file_id: fileId },
      {
        onSuccess: () => say(`${path} is back.`),
        onError: (error) => say(`${path} cannot be brought back: ${problemWords(error).detail}`),
      },
    )
  return (
    <ProjectPage
      projectId={projectId}
      section="virtual-users"
      title="Files"
      lead="What virtual users read, such as CSV files, and what they upload"
    >
      <DesignTabs projectId={projectId} current="files" />
      {mayChange ? <FileUploads projectId={projectId} /> : null}
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {({ files, is_complete }) => (
          <div className="flex flex-col gap-3">
            {files.length === 0 ? (
              <EmptyState title="No files yet">
                <p>
                  A CSV file gives each iteration a row of its own; a request may send a file. An import asks
                  for those that its source names.
                </p>
              </EmptyState>
            ) : (
              <DataTable
                label="Files"
                rows={files}
                rowKey={({ path }) => path}
                stacks
                whenEmpty=""
                columns={[
                  {
                    key: 'path',
                    title: 'Path',
                    grow: true,
                    sortBy: ({ path }) => path,
                    render: ({ path, file_id }) => (
                      <span className="flex min-w-0 items-center gap-2">
                        <code
                          className={`truncate ${file_id === null ? 'text-muted line-through' : 'font-medium'}`}
                        >
                          {path}
                        </code>
                        {file_id === null ? <Badge>deleted</Badge> : null}
                      </span>
                    ),
                  },
                  {
                    key: 'size',
                    title: 'Size',
                    align: 'right',
                    sortBy: (file) => currentOf(file)?.size_bytes ?? null,
                    render: (file) => {
                      const current = currentOf(file)
                      return current === undefined ? '' : formatQuantity(current.size_bytes, 'bytes')
                    },
                  },
                  {
                    key: 'since',
                    title: 'Since',
                    hideBelow: 'sm',
                    render: (file) => {
                      const current = currentOf(file)
                      return current === undefined ? null : <When at={current.created_at} />
                    },
                  },
                  {
                    key: 'versions',
                    title: 'Versions',
                    align: 'right',
                    hideBelow: 'sm',
                    render: ({ path, versions }) => (
                      <Button
                        variant="quiet"
                        aria-label={`${versions.length} ${versions.length === 1 ? 'version' : 'versions'} of ${path}`}
                        onPress={() => setOpened(path)}
                        className="h-7! px-2!"
                      >
                        {versions.length}
                      </Button>
                    ),
                  },
                  {
                    key: 'actions',
                    title: 'Actions',
                    align: 'right',
                    render: (file) => (
                      <FileActions
                        file={file}
                        mayChange={mayChange}
                        onDownload={(fileId) => download.mutate(fileId)}
                        onVersions={() => setOpened(file.path)}
                        onDelete={(fileId) => setDeleted({ path: file.path, fileId })}
                        onBringBack={(fileId) => bringBack(file.path, fileId)}
                      />
                    ),
                  },
                ]}
              />
            )}
            {is_complete ? null : <Caution>There are more files than are shown here.</Caution>}
            {opened === undefined ? null : (
              <Versions
                file={files.find(({ path }) => path === opened)}
                mayChange={mayChange}
                onBringBack={(fileId) => bringBack(opened, fileId)}
                onClose={() => setOpened(undefined)}
              />
            )}
          </div>
        )}
      </Answer>
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete ${deleted.path}?`}
          action="Delete"
          operation={operations.deleteProjectFile}
          input={{ file_id: deleted.fileId }}
          outdates={outdates}
          onDone={() =>
            say(`${deleted.path} is deleted.`, {
              label: 'Undo',
              onPress: () => bringBack(deleted.path, deleted.fileId),
            })
          }
          onClose={() => setDeleted(undefined)}
        >
          Virtual users that read or send it fail from then on. It can be brought back.
        </ConfirmCall>
      )}
    </ProjectPage>
  )
}

function currentOf({ file_id, versions }: ProjectFile): ProjectFile['versions'][number] | undefined {
  return versions.find((version) => version.file_id === file_id)
}

interface ActionsProps {
  file: ProjectFile
  mayChange: boolean
  onDownload: (fileId: string) => void
  onVersions: () => void
  onDelete: (fileId: string) => void
  onBringBack: (fileId: string) => void
}

function FileActions(props: ActionsProps) {
  const { file, mayChange, onDownload, onVersions, onDelete, onBringBack } = props
  const current = file.file_id
  const newest = file.versions[0]?.file_id
  return (
    <MoreActions
      of={file.path}
      actions={[
        ...(current === null ? [] : [{ label: 'Download', onAction: () => onDownload(current) }]),
        { label: 'Versions…', onAction: onVersions },
        ...(mayChange && current !== null ? [{ label: 'Delete…', onAction: () => onDelete(current) }] : []),
        ...(mayChange && current === null && newest !== undefined
          ? [{ label: 'Bring back', onAction: () => onBringBack(newest) }]
          : []),
      ]}
    />
  )
}

interface VersionsProps {
  file: ProjectFile | undefined
  mayChange: boolean
  onBringBack: (fileId: string) => void
  onClose: () => void
}

function Versions({ file, mayChange, onBringBack, onClose }: VersionsProps) {
  if (file === undefined) return null
  return (
    <Dialog title={`Versions of ${file.path}`} isOpen onClose={onClose}>
      <ul className="flex flex-col">
        {file.versions.map(({ file_id, size_bytes, created_at }) => (
          <li
            key={file_id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-2 last:border-b-0"
          >
            <span className="flex flex-wrap items-center gap-2">
              {formatQuantity(size_bytes, 'bytes')}, <When at={created_at} />
              {file_id === file.file_id ? <Badge tone="accent">in use</Badge> : null}
            </span>
            <span className="flex gap-2">
              <DownloadFile fileId={file_id} />
              {mayChange && file_id !== file.file_id ? (
                <Button
                  aria-label={`Use this one: ${formatQuantity(size_bytes, 'bytes')}`}
                  onPress={() => onBringBack(file_id)}
                >
                  Use this one
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
