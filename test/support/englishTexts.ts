// Setup of every test file: files share what they import, and one that runs the command line or speaks Chinese would
// leave its texts to the next.
import { useTranslations } from '../../src/core/safety/localize';

useTranslations('en', {});
