import type { WorkflowSource } from '../platform/workflowSource';
import type { BatchAsks, BatchServer } from '../../core/batch/runRow';
import type { PartnerPrice } from '../../core/batch/planBatch';
import type { TextFile } from '../../core/batch/prepareBatch';
import { isLoopback } from '../../core/client/address';
import { markWords, type LocalMedia, type UploadQuestion } from '../../core/runs/localFile';
import { runsText } from '../../core/safety/countText';
import { listText } from '../../core/safety/localize';
import { shown, shownLines } from '../../core/safety/shownText';
import { askToGoOn } from '../platform/show';
import { askToSpend, type Consent } from '../runs/consent';

export interface HostServer extends BatchServer {
  readonly isSandbox: boolean;
}

const namesShown = 8;

/**
 * The questions of one run of a batch, each asked once: what may be uploaded and spent before the first row is sent,
 * and whether paid rows may move when a server stops answering. The sandbox needs no answers.
 */
export class BatchQuestions {
  readonly #agreed = new Set<string>();

  constructor(
    private readonly consent: Consent,
    private readonly label: string,
  ) {}

  hasAcceptedLoss({ uri, workflow }: WorkflowSource): boolean {
    return this.consent.hasAcceptedLoss(uri, workflow.text);
  }

  /** @returns false when the person declined */
  async spend(partners: readonly PartnerPrice[], rows: number): Promise<boolean> {
    if (partners.length === 0) return true;
    const { label } = this;
    const names = partners.map(({ classType, price }) =>
      price === undefined ? shown`${classType}` : shown`${classType}: estimated ${price}`,
    );
    const message = shown`Start ${runsText(rows)} of ${label} with paid partner nodes?`;
    if (!(await askToSpend(message, names))) return false;
    for (const { classType } of partners) this.#agreed.add(classType);
    return true;
  }

  /**
   * The lines become values, and the batch file may come from someone else. To this machine, files that are neither
   * hidden nor ignored by Git need no question.
   */
  async sendTexts(texts: readonly TextFile[], servers: readonly HostServer[]): Promise<boolean> {
    const others = servers.filter(({ isSandbox }) => !isSandbox);
    const isPlain = others.every(({ session }) => isLoopback(session.origin));
    const asked = isPlain ? texts.filter(({ marks }) => marks.length > 0) : texts;
    if (asked.length === 0 || others.length === 0) return true;
    const names = shownLines(
      asked.map(
        ({ description, marks }) =>
          shown`${[description, ...marks.map((mark) => markWords()[mark])].join(', ')}`,
      ),
      namesShown,
    );
    return askToGoOn({
      message: shown`Send the text of these files to ${listText(others.map(({ name }) => name))}?`,
      detail: shown`The batch takes values from:\n${names}`,
      goOn: shown`Send and Run`,
    });
  }

  upload(files: readonly UploadQuestion[], { name, session }: HostServer): Promise<boolean> {
    return this.consent.upload(files, name, session.origin);
  }

  /** Answers the questions of rows with what was agreed to before. */
  asks(
    servers: readonly HostServer[],
    localMedia: (name: string) => Promise<LocalMedia | undefined>,
  ): BatchAsks {
    const others = servers.filter(({ isSandbox }) => !isSandbox);
    return {
      localMedia,
      mayUpload: async (files) => {
        for (const { name, session } of others)
          if (!(await this.consent.upload(files, name, session.origin))) return false;
        return true;
      },
      maySpend: async (nodes, rows) => {
        if (others.length === 0) return true;
        const classes = [...new Set(nodes.map(({ classType }) => classType))];
        const added = classes.filter((each) => !this.#agreed.has(each));
        const partners = added.map((classType) => ({ classType, price: undefined }));
        return this.spend(partners, rows);
      },
      mayRunUnheard: (reason, { server }) => this.consent.runUnheard(server.name, reason),
      mayMovePaid: (server) =>
        askToGoOn({
          message: shown`Run the paid runs of ${server} on another server?`,
          detail: shown`${server} stopped responding but may have already run them. If so, you'll pay twice.`,
          close: shown`Wait for ${server}`,
          goOn: shown`Run Elsewhere and Spend Credits`,
        }),
    };
  }
}
