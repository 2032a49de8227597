// What inputs and outputs are called for people, by their kinds.
#pragma once

#include "pt2/types.h"

namespace pt2 {

struct KindWords {
  const char* meaning;  // of one, before the name of what it stands for
  const char* singular;
  const char* plural;
};

inline KindWords words_of(InputSpec::Kind kind) {
  switch (kind) {
    case InputSpec::unset:
      break;
    case InputSpec::user_input:
      return {"user input", "user input", "user inputs"};
    case InputSpec::parameter:
      return {"parameter", "parameter", "parameters"};
    case InputSpec::buffer:
      return {"buffer", "buffer", "buffers"};
    case InputSpec::tensor_constant:
      return {"constant", "constant", "constants"};
    case InputSpec::custom_obj:
      return {"custom object", "custom object", "custom objects"};
    case InputSpec::token:
      return {"token", "token", "tokens"};
    case InputSpec::constant_input:
      return {"user input, always", "fixed user input", "fixed user inputs"};
  }
  return {"<unset>", "<unset>", "<unset>"};
}

inline KindWords words_of(OutputSpec::Kind kind) {
  switch (kind) {
    case OutputSpec::unset:
      break;
    case OutputSpec::user_output:
      return {"user output", "user output", "user outputs"};
    case OutputSpec::loss_output:
      return {"loss", "loss", "losses"};
    case OutputSpec::buffer_mutation:
      return {"mutation of buffer", "mutation of a buffer", "mutations of buffers"};
    case OutputSpec::gradient_to_parameter:
      return {"gradient of parameter", "gradient of a parameter", "gradients of parameters"};
    case OutputSpec::gradient_to_user_input:
      return {"gradient of user input", "gradient of a user input", "gradients of user inputs"};
    case OutputSpec::user_input_mutation:
      return {"mutation of user input", "mutation of a user input", "mutations of user inputs"};
    case OutputSpec::token:
      return {"token", "token", "tokens"};
    case OutputSpec::parameter_mutation:
      return {"mutation of parameter", "mutation of a parameter", "mutations of parameters"};
  }
  return {"<unset>", "<unset>", "<unset>"};
}

}  // namespace pt2
