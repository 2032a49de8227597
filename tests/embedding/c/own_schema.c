/* Reads a document of the schema notes, and writes it as a binary file and as JSON again. */
#include <stdio.h>
#include <string.h>

#include <schemagen_value.h>

const schemagen_type* notes_note(void); /* of own_schema.cpp */

int main(void) {
  const char* const json = "{\"text\": \"remember\", \"tags\": [\"a\", \"b\"]}";
  schemagen_document* note = NULL;
  schemagen_bytes binary = {NULL, 0}, text = {NULL, 0};
  schemagen_error* error = schemagen_document_from_json(notes_note(), json, strlen(json), NULL, &note);
  if (!error) {
    const schemagen_value tags = schemagen_value_named(schemagen_document_value(note), "tags");
    printf("%zu tags\n", schemagen_value_size(tags));
    error = schemagen_document_to_binary(note, NULL, &binary);
  }
  schemagen_document_free(note);
  note = NULL;
  if (!error) error = schemagen_document_from_binary(notes_note(), binary.data, binary.size, NULL, &note);
  if (!error) error = schemagen_document_to_json(note, NULL, &text);
  if (error) {
    fprintf(stderr, "%s\n", schemagen_error_message(error).data);
    schemagen_error_free(error);
  } else {
    printf("%zu bytes are %s\n", binary.size, text.data);
  }
  schemagen_document_free(note);
  schemagen_bytes_free(&binary);
  schemagen_bytes_free(&text);
  return error != NULL;
}
