"""Tables and figures of papers, reproduced: measures, tables and pictures, and a document for each subject."""
