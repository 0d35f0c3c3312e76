import '../ui/language';
import { FormPage } from './formPage';
import { SheetPage } from './sheetPage';
import '../ui/panel.css';
import '../ui/form.css';
import './batch.css';

// One script for both pages: most of it is what all panels share.
if (document.body.classList.contains('sheet')) new SheetPage().start();
else new FormPage().start();
